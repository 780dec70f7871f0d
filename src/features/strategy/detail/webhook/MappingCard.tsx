/* 欄位對應: where in the message each field stands, and what its words mean. Empty means automatic reading. */
import { useInfiniteQuery } from '@tanstack/react-query'
import { useId, useMemo, useState } from 'react'
import type { Webhook } from '#contract/webhook.ts'
import { webhookQueries } from '#data/webhook.ts'
import { useCtx } from '#features/shell/data.tsx'
import { failureSentence, refusedFields } from '#features/shell/failure.ts'
import { hms } from '#text/format.ts'
import { Button } from '#ui/Button.tsx'
import { Card } from '#ui/Card.tsx'
import { Fold } from '#ui/Fold.tsx'
import { Switch } from '#ui/Switch.tsx'
import { MappingRow } from './MappingRow.tsx'
import { FIELDS, type Field, formOf, mappingOf, pathsOf, type Row } from './mapping.ts'
import { useChange } from './save.ts'
import { WordsForm } from './WordsForm.tsx'

export function MappingCard({ webhook }: { webhook: Webhook }) {
  const ctx = useCtx()
  const list = useId()
  const deliveries = useInfiniteQuery(webhookQueries.deliveries(ctx, webhook.id)).data
  const sample = deliveries?.pages[0]?.items.find(
    ({ body, body_encoding }) => body && body_encoding === 'utf-8',
  )
  const stored = useMemo(() => formOf(webhook.mapping), [webhook.mapping])
  const [form, setForm] = useState(stored)
  const change = useChange(webhook, ({ mapping }) => (mapping ? '欄位對應已儲存' : '已改回自動判斷'))
  const next = mappingOf(form)
  const dirty = JSON.stringify(next) !== JSON.stringify(mappingOf(stored))
  const setRow = (field: Field, row: Row) => setForm({ ...form, rows: { ...form.rows, [field]: row } })
  const fields = refusedFields(change.error)
  const paths = useMemo(() => pathsOf(sample?.body ?? null), [sample])
  return (
    <Card flush>
      <Fold title={<b>欄位對應</b>} note={webhook.mapping ? '自訂' : '自動判斷'}>
        <p className="t13 ink3 wh-lead">
          一般不必填：常見的欄位名稱會自動認得。
          {sample
            ? `右邊是 ${hms(sample.received_at)} 那一則裡的值。`
            : '收到第一則訊息後，這裡會列出它的欄位。'}
        </p>
        <div className="wh-map">
          {FIELDS.map((field) => (
            <MappingRow
              key={field}
              field={field}
              row={form.rows[field]}
              onChange={(row) => setRow(field, row)}
              body={sample?.body ?? null}
              list={list}
              error={fields?.[`mapping.fields.${field}`]}
            />
          ))}
          <datalist id={list}>
            {paths.map((path) => (
              <option key={path} value={path} />
            ))}
          </datalist>
        </div>
        <WordsForm words={form.words} onChange={(words) => setForm({ ...form, words })} />
        <Switch
          label="編號不會重複"
          note="同一個編號再來一次就當作重複，不論時間。"
          checked={form.id_is_unique}
          onChange={(id_is_unique) => setForm({ ...form, id_is_unique })}
        />
        {change.error && (
          <p className="hint err">
            {fields ? Object.values(fields)[0] : failureSentence(change.error, '填的內容還在，')}
          </p>
        )}
        <div className="row gap8">
          <Button
            kind="soft"
            disabled={!dirty}
            busy={change.isPending}
            onClick={() => change.mutate({ kind: 'update', input: { mapping: next } })}
          >
            儲存對應
          </Button>
          <Button kind="ghost" disabled={!dirty} onClick={() => setForm(stored)}>
            還原
          </Button>
        </div>
      </Fold>
    </Card>
  )
}
