/* A link made or changed: reviewed or not, how often, until when, into which groups. */
import { useMutation, useQuery } from '@tanstack/react-query'
import { useId, useState } from 'react'
import type { InviteLink } from '#contract/join.ts'
import { joinMutations } from '#data/nouns/invitation.ts'
import { organizationQueries } from '#data/nouns/organization.ts'
import { refusal } from '#screen/failure.ts'
import { useLeaveSheet } from '#screen/LeaveForm.tsx'
import { Refused } from '#screen/Refused.tsx'
import { toast } from '#screen/toast.ts'
import { taipei } from '#text/time.ts'
import { Button } from '#ui/Button.tsx'
import { isDay } from '#ui/day.ts'
import { NumberField } from '#ui/NumberField.tsx'
import { DateField } from '#ui/SearchSelect.tsx'
import { Sheet } from '#ui/Sheet.tsx'
import { Switch } from '#ui/Switch.tsx'
import { useForm } from '#ui/use-form.ts'
import { today } from '../../parts/words.ts'
import { Fields } from '../Fields.tsx'
import { GroupChecks } from '../GroupChecks.tsx'
import { newPeriodErrors, PeriodFields } from '../PeriodFields.tsx'
import { useOrganization } from '../use-place.ts'

type Values = { max_uses: string; valid_until: string; ends_on: string }

function check({ max_uses, valid_until, ends_on }: Values): Record<string, string> {
  const uses = Number(max_uses)
  const errors = newPeriodErrors({ starts_on: today(), ends_on })
  if (max_uses !== '' && !(Number.isInteger(uses) && uses >= 1 && uses <= 1000))
    errors['max_uses'] = '請輸入 1 到 1,000 的整數，或留空'
  if (valid_until !== '' && !isDay(valid_until)) errors['valid_until'] = '沒有這一天，請寫成 2026/12/31'
  else if (valid_until !== '' && valid_until < today())
    errors['valid_until'] = '這一天已經過去，請選今天或之後'
  return errors
}

/** The end of a day in Taipei. */
const endOf = (day: string) => new Date(`${day}T23:59:59.999+08:00`).toISOString()

/** Without `link` a new one; `onMade` gets it in place of `onClose`. */
export function LinkSheet(props: {
  link?: InviteLink
  onClose: () => void
  onMade?: (link: InviteLink) => void
}) {
  const { link, onClose, onMade } = props
  const { id, ctx } = useOrganization()
  const sheet = useId()
  const { data: organization } = useQuery(organizationQueries.one(ctx, id))
  const usual = organization?.default_member_days
  const [group_ids, setGroups] = useState<readonly string[]>(link?.group_ids ?? [])
  const [requires_review, setReview] = useState(link?.requires_review ?? true)
  const [touched, setTouched] = useState(false)
  const create = useMutation(joinMutations.createLink(ctx))
  const update = useMutation(joinMutations.updateLink(ctx))
  const initial = {
    max_uses: link?.max_uses ? String(link.max_uses) : '',
    valid_until: link?.valid_until ? taipei(link.valid_until).day : '',
    ends_on: link?.expires_on ?? '',
  }
  const { values, errors, failure, busy, field, change, form } = useForm<keyof Values>({
    initial,
    check,
    send: async ({ max_uses, valid_until, ends_on }) => {
      const terms = {
        group_ids: [...group_ids],
        requires_review,
        max_uses: max_uses === '' ? null : Number(max_uses),
        valid_until: valid_until === '' ? null : endOf(valid_until),
        expires_on: ends_on || null,
      }
      if (link) {
        await update.mutateAsync({ id, link_id: link.id, ...terms })
        toast({ title: '連結已更新', icon: 'check' })
        onClose()
      } else onMade?.(await create.mutateAsync({ id, ...terms }))
    },
    refused: (error) => refusal(error, '沒有任何變更，', ['max_uses', 'valid_until', 'expires_on']),
  })
  const typed = (['max_uses', 'valid_until', 'ends_on'] as const).some(
    (name) => values[name] !== initial[name],
  )
  const holds = typed || touched
  const { leave, question } = useLeaveSheet(holds, onClose)
  return (
    <Sheet
      open
      onClose={leave}
      sticky={holds}
      title={link ? '修改邀請連結' : '建立邀請連結'}
      foot={
        <>
          <Button onClick={leave}>取消</Button>
          <Button kind="filled" type="submit" form={sheet} busy={busy}>
            {link ? '儲存' : '建立連結'}
          </Button>
        </>
      }
    >
      <form id={sheet} {...form}>
        <Fields>
          <Switch
            label="需要審核"
            note={
              requires_review
                ? '打開連結的人送出申請，你通過後才是成員。'
                : '有連結的人登入就是成員；以前是成員的人仍要審核。'
            }
            checked={requires_review}
            onChange={(on) => {
              setTouched(true)
              setReview(on)
            }}
          />
          <NumberField
            label="可以用幾次"
            integer
            unit="次"
            hint="留空就不限次數；待審核的申請也算一次"
            {...field('max_uses')}
          />
          <DateField
            label="連結的期限"
            span={[today(), values.valid_until]}
            name="valid_until"
            value={values.valid_until}
            error={errors['valid_until']}
            hint={values.valid_until === '' ? '留空就一直能用，直到你停用' : '當天結束前都能用'}
            onChange={(valid_until) => change({ valid_until })}
          />
          <GroupChecks
            what="joining"
            chosen={group_ids}
            onChange={(ids) => {
              setTouched(true)
              setGroups(ids)
            }}
          />
          <Fields legend="成員資格到什麼時候" close>
            <PeriodFields
              only_end
              errors={errors}
              usual={usual ?? null}
              days={{ starts_on: '', ends_on: values.ends_on }}
              onChange={(changes) => change({ ends_on: changes.ends_on ?? '' })}
            />
          </Fields>
          <Refused text={failure} />
        </Fields>
      </form>
      {question}
    </Sheet>
  )
}
