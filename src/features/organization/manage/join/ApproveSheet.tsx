/* Passing one request or several: the days and the groups that they get. */
import { useMutation } from '@tanstack/react-query'
import { useId, useState } from 'react'
import type { JoinRequest } from '#contract/join.ts'
import { joinMutations } from '#data/nouns/invitation.ts'
import { useDirtyForm } from '#screen/dirty.ts'
import { refusal } from '#screen/failure.ts'
import { Refused } from '#screen/Refused.tsx'
import { toast } from '#screen/toast.ts'
import { Button } from '#ui/Button.tsx'
import { Sheet } from '#ui/Sheet.tsx'
import { useForm } from '#ui/use-form.ts'
import { usePeople } from '../../parts/people.ts'
import { today } from '../../parts/words.ts'
import { Fields } from '../Fields.tsx'
import { GroupChecks } from '../GroupChecks.tsx'
import { newPeriodErrors, PeriodFields, spanOf } from '../PeriodFields.tsx'
import { useOrganization } from '../use-place.ts'

/** What all of them offer alike, else nothing. */
function offered(requests: readonly JoinRequest[]): { group_ids: readonly string[]; ends_on: string } {
  const [first] = requests
  const alike = (of: (one: JoinRequest) => string) => new Set(requests.map(of)).size === 1
  return {
    group_ids: first && alike((one) => one.group_ids.toSorted().join()) ? first.group_ids : [],
    ends_on: first?.expires_on && alike((one) => one.expires_on ?? '') ? first.expires_on : '',
  }
}

export function ApproveSheet(props: {
  requests: readonly JoinRequest[]
  onClose: () => void
  onDone: () => void
}) {
  const { requests, onClose, onDone } = props
  const { id, ctx } = useOrganization()
  const { cover } = usePeople()
  const sheet = useId()
  const [offer] = useState(() => ({ ...offered(requests), starts_on: today() }))
  const [group_ids, setGroups] = useState(offer.group_ids)
  const review = useMutation(joinMutations.reviewMany(ctx))
  const [first] = requests
  const many = requests.length > 1
  const { values, errors, failure, busy, change, form } = useForm({
    initial: { starts_on: offer.starts_on, ends_on: offer.ends_on },
    check: newPeriodErrors,
    send: async (days) => {
      const { starts_on, ends_on: expires_on } = spanOf(days)
      const rows = await review.mutateAsync({
        ...{ id, request_ids: requests.map((one) => one.id), decision: 'approve' },
        ...{ group_ids: [...group_ids], starts_on, expires_on },
      })
      const done = rows.filter((row) => row.result === 'done').length
      const rest = rows.length - done
      toast({
        title: done > 0 ? `已通過 ${done} 份申請` : '沒有通過任何申請',
        ...(rest > 0 && { description: `${rest} 份已經有人處理過，或對方已經是成員。` }),
        icon: done > 0 ? 'check' : 'info',
      })
      onDone()
      onClose()
    },
    refused: (error) => refusal(error, '沒有任何變更，', ['starts_on', 'expires_on']),
  })
  const dirty =
    values.starts_on !== offer.starts_on ||
    values.ends_on !== offer.ends_on ||
    group_ids.toSorted().join() !== offer.group_ids.toSorted().join()
  useDirtyForm(dirty)
  return (
    <Sheet
      open
      onClose={onClose}
      sticky={dirty}
      title={many ? `通過 ${requests.length} 份申請` : '通過申請'}
      subtitle={many ? '每個人得到一樣的期間與群組' : cover(first?.user.name ?? '')}
      foot={
        <>
          <Button onClick={onClose}>取消</Button>
          <Button kind="filled" icon="check" type="submit" form={sheet} busy={busy}>
            {many ? `通過 ${requests.length} 份` : '通過，成為成員'}
          </Button>
        </>
      }
    >
      <form id={sheet} {...form}>
        <Fields>
          <PeriodFields days={values} onChange={change} errors={errors} />
          <p className="t13 ink3">起日之前的訊號看不到；到期日的隔天零時起全部看不到。</p>
          <GroupChecks what="joining" chosen={group_ids} onChange={setGroups} />
          <Refused text={failure} />
        </Fields>
      </form>
    </Sheet>
  )
}
