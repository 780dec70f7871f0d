/* The record as a file: for spreadsheets, or with its proof. Saved under the name that the server gives it. */
import { useMutation } from '@tanstack/react-query'
import type { EXPORT_FORMATS } from '#contract/signal.ts'
import { signalMutations } from '#data/nouns/signal.ts'
import { saveFile } from '#screen/browser.ts'
import { useCtx } from '#screen/data.tsx'
import { toast } from '#screen/toast.ts'
import { failureText } from '#text/errors.ts'
import { Button } from '#ui/Button.tsx'
import css from './ExportKeys.module.css'

type Format = (typeof EXPORT_FORMATS)[number]

export function ExportKeys({ strategy_id }: { strategy_id: string }) {
  const ctx = useCtx()
  const fetch = useMutation({
    ...signalMutations.export(ctx),
    onSuccess: (file) => {
      saveFile(file)
      toast({ title: `已匯出 ${file.filename}`, icon: 'check' })
    },
    onError: (error) => toast({ title: '沒有匯出', description: failureText(error), variant: 'destructive' }),
  })
  const key = (format: Format, label: string) => (
    <Button
      icon="download"
      busy={fetch.isPending && fetch.variables.format === format}
      disabled={fetch.isPending && fetch.variables.format !== format}
      onClick={() => fetch.mutate({ id: strategy_id, format })}
    >
      {label}
    </Button>
  )
  return (
    <div className={css.keys}>
      {key('csv', '匯出 CSV')}
      {key('json', '匯出 JSON（含證明）')}
    </div>
  )
}
