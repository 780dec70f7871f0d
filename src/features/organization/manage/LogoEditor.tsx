/* The organization's picture: chosen, shown. */
import { useMutation } from '@tanstack/react-query'
import { type ChangeEvent, useRef } from 'react'
import type { Organization } from '#contract/organization.ts'
import { organizationMutations } from '#data/organization.ts'
import { toast } from '#features/shell/toast.ts'
import { Avatar } from '#ui/Avatar.tsx'
import { Button } from '#ui/Button.tsx'
import { failureText } from '../parts/failure.ts'
import { usePeople } from '../parts/people.ts'
import { useOrganization } from './use-place.ts'

export function LogoEditor({ organization }: { organization: Organization }) {
  const { ctx } = useOrganization()
  const { cover, face } = usePeople()
  const input = useRef<HTMLInputElement>(null)
  const upload = useMutation(organizationMutations.logo(ctx))
  async function chosen(event: ChangeEvent<HTMLInputElement>) {
    const file = event.target.files?.[0]
    // the same file may be chosen again after a failure
    event.target.value = ''
    if (!file) return
    try {
      await upload.mutateAsync({ id: organization.id, image: new Uint8Array(await file.arrayBuffer()) })
      toast({ title: '標誌已更新', icon: 'check' })
    } catch (error) {
      toast({ title: '標誌沒有變更', description: failureText(error), variant: 'destructive' })
    }
  }
  return (
    <div className="og-logo">
      <Avatar name={cover(organization.name)} src={face(organization.logo)} size={64} />
      <input
        ref={input}
        type="file"
        accept="image/png,image/jpeg,image/webp"
        className="vh"
        tabIndex={-1}
        aria-hidden="true"
        data-testid="logo-file"
        onChange={(event) => void chosen(event)}
      />
      <span className="og-two">
        <Button size="s" icon="upload" busy={upload.isPending} onClick={() => input.current?.click()}>
          {organization.logo ? '更換標誌' : '上傳標誌'}
        </Button>
        <small>PNG、JPEG 或 WebP，會裁成正方形</small>
      </span>
    </div>
  )
}
