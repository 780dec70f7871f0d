/* Inviting by mail: up to fifty addresses at once, as what, into which groups, until when; then what became of each. */

import { useMutation } from '@tanstack/react-query'
import { useId, useState } from 'react'
import type { OutputOf } from '#contract/endpoint.ts'
import type { createInvites } from '#contract/join.ts'
import type { Role } from '#contract/permissions.ts'
import { invitationMutations } from '#data/nouns/invitation.ts'
import { refusal } from '#screen/failure.ts'
import { useLeaveSheet } from '#screen/LeaveForm.tsx'
import { Refused } from '#screen/Refused.tsx'
import { Button } from '#ui/Button.tsx'
import { Sheet } from '#ui/Sheet.tsx'
import { TextField } from '#ui/TextField.tsx'
import { useForm } from '#ui/use-form.ts'
import { addressesIn } from '../parts/addresses.ts'
import { today } from '../parts/words.ts'
import { Fields } from './Fields.tsx'
import { GroupChecks } from './GroupChecks.tsx'
import { InviteResults } from './InviteResults.tsx'
import { newPeriodErrors, PeriodFields } from './PeriodFields.tsx'
import { RoleField } from './RoleField.tsx'
import { useInFolder } from './use-in-folder.ts'
import { useOrganization } from './use-place.ts'

const MOST = 50

function check(values: { emails: string }): Record<string, string> {
  const { length } = addressesIn(values.emails)
  if (length === 0) return { emails: '請輸入至少一個電子郵件' }
  return length > MOST ? { emails: `一次最多 ${MOST} 個，現在有 ${length} 個，請分批寄` } : {}
}

/** Called with nothing when it is done. */
export function InviteSheet({ onClose }: { onClose: () => void }) {
  const { id, ctx } = useOrganization()
  const sheet = useId()
  const [role, setRole] = useState<Role>('member')
  const [group_ids, setGroups] = useState<readonly string[]>([])
  const [ends_on, setEnd] = useState('')
  const [results, setResults] = useState<OutputOf<typeof createInvites> | null>(null)
  const in_folder = useInFolder()
  const invite = useMutation(invitationMutations.create(ctx))
  const { values, errors, failure, busy, field, form } = useForm({
    initial: { emails: '' },
    check: (typed) => ({ ...check(typed), ...newPeriodErrors({ starts_on: today(), ends_on }) }),
    send: async ({ emails }, reset) => {
      setResults(
        await invite.mutateAsync({
          id,
          emails: addressesIn(emails),
          role,
          group_ids: role === 'admin' ? [] : [...group_ids],
          expires_on: ends_on || null,
        }),
      )
      reset()
    },
    refused: (error) => refusal(error, '沒有寄出任何邀請，內容都還在，', ['emails']),
  })
  const emails = addressesIn(values.emails)
  const holds = values.emails !== '' && results === null
  const { leave, question } = useLeaveSheet(holds, onClose)

  if (results)
    return (
      <InviteResults
        results={results}
        in_folder={in_folder}
        onClose={onClose}
        onAgain={() => setResults(null)}
      />
    )
  return (
    <Sheet
      open
      onClose={leave}
      sticky={holds}
      title="邀請成員"
      foot={
        <>
          <Button onClick={leave}>取消</Button>
          <Button kind="filled" icon={in_folder ? 'link' : 'mail'} type="submit" form={sheet} busy={busy}>
            {in_folder
              ? emails.length > 1
                ? `建立 ${emails.length} 份邀請`
                : '建立邀請'
              : emails.length > 1
                ? `寄出 ${emails.length} 份邀請`
                : '寄出邀請'}
          </Button>
        </>
      }
    >
      <form id={sheet} {...form}>
        <Fields>
          <TextField
            label="電子郵件"
            rows={4}
            {...field('emails')}
            autoComplete="off"
            inputMode="email"
            placeholder={'yian@example.com\nshihhan@example.com'}
            hint={
              emails.length > 0
                ? `${emails.length} 個地址`
                : `一行一個，也可以用逗號或空白分開；一次最多 ${MOST} 個`
            }
          />
          <RoleField role={role} onChange={setRole} />
          {role === 'member' && <GroupChecks what="joining" chosen={group_ids} onChange={setGroups} />}
          <PeriodFields
            only_end
            errors={errors}
            days={{ starts_on: '', ends_on }}
            onChange={(changes) => setEnd(changes.ends_on ?? '')}
          />
          <Refused text={failure} />
        </Fields>
      </form>
      {question}
    </Sheet>
  )
}
