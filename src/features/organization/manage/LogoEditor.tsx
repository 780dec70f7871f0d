/* The organization's picture: chosen, shown. */
import { useMutation } from '@tanstack/react-query'
import type { Organization } from '#contract/organization.ts'
import { organizationMutations } from '#data/nouns/organization.ts'
import { failureSentence } from '#screen/failure.ts'
import { toast } from '#screen/toast.ts'
import { ImageButton } from '#ui/FileButton.tsx'
import { Avatar } from '#ui/Tag.tsx'
import { usePeople } from '../parts/people.ts'
import { TwoLines } from '../parts/TwoLines.tsx'
import css from './LogoEditor.module.css'
import { useOrganization } from './use-place.ts'

export function LogoEditor({ organization }: { organization: Organization }) {
  const { ctx } = useOrganization()
  const { cover, face } = usePeople()
  const upload = useMutation(organizationMutations.logo(ctx))
  async function put(file: File) {
    try {
      await upload.mutateAsync({ id: organization.id, image: new Uint8Array(await file.arrayBuffer()) })
      toast({ title: '標誌已更新', icon: 'check' })
    } catch (error) {
      toast({ title: '標誌沒有變更', description: failureSentence(error), variant: 'destructive' })
    }
  }
  return (
    <div className={css.root}>
      <Avatar name={cover(organization.name)} src={face(organization.logo)} size={64} />
      <TwoLines className={css.words}>
        <ImageButton testId="logo-file" busy={upload.isPending} onFile={(file) => void put(file)}>
          {organization.logo ? '更換標誌' : '上傳標誌'}
        </ImageButton>
        <small>PNG、JPEG 或 WebP，會裁成正方形</small>
      </TwoLines>
    </div>
  )
}
