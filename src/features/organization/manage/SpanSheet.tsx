/* The days of one row of a group. */
import { type FormEvent, useId, useState } from 'react'
import { Banner } from '#ui/Banner.tsx'
import { Button } from '#ui/Button.tsx'
import { Sheet } from '#ui/Sheet.tsx'
import { failureText, refusedFields } from '../parts/failure.ts'
import type { Period } from '../parts/words.ts'
import { PeriodFields, periodErrors } from './PeriodFields.tsx'

/** `onSave` sends the span and hands a refusal to `refuse`, which shows it here. */
export type SpanSheetProps = {
  title: string
  subtitle: string
  note?: string | undefined
  period: Period
  busy: boolean
  onSave: (span: Period, refuse: (error: unknown) => void) => void
  onClose: () => void
}

export function SpanSheet({ title, subtitle, note, period, busy, onSave, onClose }: SpanSheetProps) {
  const form = useId()
  const [days, setDays] = useState({ starts_on: period.starts_on, ends_on: period.ends_on ?? '' })
  const [errors, setErrors] = useState<Record<string, string>>({})
  const [failure, setFailure] = useState<string | null>(null)
  function submit(event: FormEvent) {
    event.preventDefault()
    const found = periodErrors(days)
    setErrors(found)
    setFailure(null)
    if (Object.keys(found).length > 0 || busy) return
    onSave({ starts_on: days.starts_on, ends_on: days.ends_on || null }, (error) => {
      const refused = refusedFields(error)
      setErrors(refused)
      if (!refused['starts_on'] && !refused['ends_on']) setFailure(failureText(error, '沒有任何變更，'))
    })
  }
  return (
    <Sheet
      open
      onClose={onClose}
      title={title}
      subtitle={subtitle}
      foot={
        <>
          <Button onClick={onClose}>取消</Button>
          <Button kind="filled" type="submit" form={form} busy={busy}>
            儲存
          </Button>
        </>
      }
    >
      <form id={form} className="og-fields" onSubmit={submit} noValidate>
        <PeriodFields days={days} onChange={setDays} errors={errors} known={period.ends_on} />
        <p className="t13 ink3">起日之前的訊號看不到；到期日的隔天零時起全部看不到。{note}</p>
        {failure && (
          <Banner tone="danger" icon="warning" urgent>
            {failure}
          </Banner>
        )}
      </form>
    </Sheet>
  )
}
