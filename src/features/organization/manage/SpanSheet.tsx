/* The days of one row of a group. */

import { type UseMutationOptions, useMutation } from '@tanstack/react-query'
import { useId } from 'react'
import type { Span } from '#contract/access.ts'
import { useDirtyForm } from '#screen/dirty.ts'
import { refusal } from '#screen/failure.ts'
import { Refused } from '#screen/Refused.tsx'
import { toast } from '#screen/toast.ts'
import { Button } from '#ui/Button.tsx'
import { Sheet } from '#ui/Sheet.tsx'
import { useForm } from '#ui/use-form.ts'
import { EndQuestion } from './EndQuestion.tsx'
import { Fields } from './Fields.tsx'
import { PeriodFields, periodErrors, spanOf } from './PeriodFields.tsx'
import { useEnding } from './use-ending.ts'

/** `name` whose days they are; `input` of `mutation` for the days that were chosen; `ends` what days that are over end at once. */
export type SpanSheetProps<Output, Input> = {
  name: string
  note?: string | undefined
  ends: string
  period: Span
  mutation: UseMutationOptions<Output, Error, Input>
  input: (span: Span) => Input
  onClose: () => void
}

export function SpanSheet<Output, Input>(props: SpanSheetProps<Output, Input>) {
  const { name, note, period, onClose } = props
  const id = useId()
  const { mutateAsync } = useMutation(props.mutation)
  const initial = { starts_on: period.starts_on, ends_on: period.ends_on ?? '' }
  const { values, errors, failure, busy, change, form } = useForm({
    initial,
    check: periodErrors,
    send: async (days) => {
      await mutateAsync(props.input(spanOf(days)))
      toast({ title: '期間已更新', icon: 'check' })
      onClose()
    },
    refused: (error) => refusal(error, '沒有任何變更，', ['starts_on', 'ends_on']),
  })
  const dirty = values.starts_on !== initial.starts_on || values.ends_on !== initial.ends_on
  useDirtyForm(dirty)
  const { onSubmit, question } = useEnding(period, values, form.onSubmit)
  return (
    <Sheet
      open
      onClose={onClose}
      sticky={dirty}
      title="群組裡的期間"
      subtitle={name}
      foot={
        <>
          <Button onClick={onClose}>取消</Button>
          <Button kind="filled" type="submit" form={id} busy={busy}>
            儲存
          </Button>
        </>
      }
    >
      <form id={id} {...form} onSubmit={onSubmit}>
        <Fields>
          <PeriodFields days={values} onChange={change} errors={errors} known={period.ends_on} />
          <p className="t13 ink3">起日之前的訊號看不到；到期日的隔天零時起全部看不到。{note}</p>
          <Refused text={failure} />
        </Fields>
      </form>
      {question && (
        <EndQuestion
          {...question}
          title={`立刻結束「${name}」在群組的期間？`}
          icon="minus"
          mutation={props.mutation}
          input={props.input(spanOf(values))}
          done={{ title: '期間已更新' }}
          onDone={onClose}
          ends={props.ends}
        />
      )}
    </Sheet>
  )
}
