/* 原始資料: files of XQ that were imported, every row as it came, and what became of it. */

import { useMutation, useQuery } from '@tanstack/react-query'
import { lazy, type ReactNode, Suspense, useState } from 'react'
import type { OriginalBatch, OriginalDataRow, OriginalStatus } from '#contract/original-data.ts'
import type { Strategy } from '#contract/strategy.ts'
import { type OriginalFilter, originalMutations, originalQueries } from '#data/nouns/original-data.ts'
import { Ask } from '#screen/Ask.tsx'
import { saveFile } from '#screen/browser.ts'
import { useCtx } from '#screen/data.tsx'
import { useDirtyForm } from '#screen/dirty.ts'
import { failureSentence } from '#screen/failure.ts'
import { toast } from '#screen/toast.ts'
import { number, when } from '#text/format.ts'
import { serverNow } from '#text/now.ts'
import { ORIGINAL_FILE_BYTES } from '#trading/original/shape.ts'
import { Button } from '#ui/Button.tsx'
import { Card } from '#ui/Card.tsx'
import { EmptyState, FailState, ProgressBar } from '#ui/EmptyState.tsx'
import { FileButton } from '#ui/FileButton.tsx'
import { IconButton } from '#ui/IconButton.tsx'
import { Sheet } from '#ui/Modal.tsx'
import { Chips } from '#ui/Segments.tsx'
import { Skeleton } from '#ui/Skeleton.tsx'
import { Tag } from '#ui/Tag.tsx'
import { TextField } from '#ui/TextField.tsx'
import css from './OriginalTab.module.css'
import { ENCODING_WORDS, STATUS } from './words.ts'

const FILTERS = ['imported', 'duplicate', 'ignored_by_rule', 'invalid'] as const

export function OriginalTab({ strategy }: { strategy: Strategy }) {
  const ctx = useCtx()
  const { id } = strategy
  const [status, setStatus] = useState<OriginalStatus | null>(null)
  const [before, setBefore] = useState<string[]>([])
  const [removed, setRemoved] = useState<OriginalBatch | null>(null)
  const last = before.at(-1)
  const filter: OriginalFilter = { ...(status && { status }), ...(last && { before: last }) }
  const { data, error, isFetching, refetch } = useQuery(originalQueries.list(ctx, id, filter))
  const readAgain = useMutation({
    ...originalMutations.readAgain(ctx, id),
    onSuccess: ({ taken, duplicate, refused }) =>
      toast({
        title: taken > 0 ? `新增 ${number(taken)} 筆` : '沒有新增任何一筆',
        description: `重複 ${number(duplicate)}、還是錯誤 ${number(refused.length)}`,
      }),
  })
  const download = useMutation({ ...originalMutations.download(ctx, id), onSuccess: saveFile })
  const { keys, sheet } = useImport(strategy)
  const source = 'data_source' in strategy.settings ? strategy.settings.data_source : 'csv'
  if (!data)
    return error ? (
      <FailState card title="讀不到原始資料" onRetry={() => void refetch()} busy={isFetching}>
        {failureSentence(error, '匯入過的資料都在伺服器上，')}
      </FailState>
    ) : (
      <Skeleton type="list" label="原始資料載入中" />
    )
  const invalid = data.items.filter((row) => row.status === 'invalid' || row.status === 'pending')
  const none = data.batches.length === 0
  return (
    <div className="stack">
      {none ? (
        <EmptyState card title="還沒有匯入過檔案" action={keys(true)}>
          選 XQ 匯出的 CSV、TXT 或 LOG（UTF-8 或 Big5，10 MB、20,000
          筆以內）。會先讓你看內容，按下匯入才會寫進紀錄。
        </EmptyState>
      ) : (
        <>
          <Card title="匯入的檔案" count={data.batches.length} action={keys(false)} flush>
            <ul className={css.files}>
              {data.batches.map((batch) => (
                <FileRow key={batch.id} batch={batch} onRemove={() => setRemoved(batch)} />
              ))}
            </ul>
          </Card>
          <Card
            title="每一列"
            flush
            action={
              <Button size="s" icon="download" busy={download.isPending} onClick={() => download.mutate()}>
                匯出 CSV
              </Button>
            }
          >
            <div className={css.tools}>
              <Chips
                label="狀態"
                chips={[
                  { value: '', label: '全部', on: status === null },
                  ...FILTERS.map((value) => ({
                    value,
                    label: STATUS[value].word,
                    on: value === status,
                    count: data.batches.reduce((sum, { counts }) => sum + counts[value], 0),
                  })),
                ]}
                onPick={(value) => {
                  setStatus(value === '' ? null : (value as OriginalStatus))
                  setBefore([])
                }}
              />
              {invalid.length > 0 && (
                <Button
                  size="s"
                  icon="refresh"
                  busy={readAgain.isPending}
                  onClick={() => readAgain.mutate(invalid.map((row) => row.id))}
                >
                  重新處理這 {number(invalid.length)} 列
                </Button>
              )}
            </div>
            {data.items.length === 0 ? (
              <p className={css.none}>沒有這種列。</p>
            ) : (
              <ul className={css.rows}>
                {data.items.map((row) => (
                  <RawRow key={row.id} row={row} />
                ))}
              </ul>
            )}
            {(before.length > 0 || data.next_before !== null) && (
              <div className={css.pages}>
                <Button
                  size="s"
                  disabled={before.length === 0}
                  onClick={() => setBefore(before.slice(0, -1))}
                >
                  上一頁
                </Button>
                <Button
                  size="s"
                  disabled={data.next_before === null}
                  onClick={() => data.next_before && setBefore([...before, data.next_before])}
                >
                  下一頁
                </Button>
              </div>
            )}
          </Card>
        </>
      )}
      {source !== 'csv' && (
        <p className="t13 ink3">橋接程式與 Webhook 送來的每一行，在「設定」的最近接收紀錄。</p>
      )}
      {sheet}
      {removed && (
        <Ask
          title={`刪除「${removed.file_name}」`}
          verb="刪除並作廢訊號"
          mutation={originalMutations.remove(ctx, id)}
          input={{ batch_id: removed.id }}
          done={{ title: '正在刪除', description: '訊號作廢後，部位與損益會重算' }}
          safe="檔案與訊號都還在，"
          onClose={() => setRemoved(null)}
          onDone={() => setRemoved(null)}
        >
          <p>這個檔案的 {number(removed.counts.imported)} 筆訊號會全部作廢，每一列也會刪除，無法復原。</p>
          <p>作廢的紀錄會留著，部位與損益會重算。</p>
        </Ask>
      )}
    </div>
  )
}

function FileRow({ batch, onRemove }: { batch: OriginalBatch; onRemove: () => void }) {
  const { counts, state, file_name, created_at, encoding } = batch
  const busy = state !== 'done'
  const said = FILTERS.filter((status) => counts[status] > 0).map(
    (status) => `${STATUS[status].word} ${number(counts[status])}`,
  )
  return (
    <li className={css.file}>
      <div className="sp">
        <p className="w6 el">{file_name}</p>
        <p className="t13 ink3">
          {when(created_at, serverNow())} · {ENCODING_WORDS[encoding] ?? encoding}
          {!busy && said.length > 0 && ` · ${said.join('、')}`}
        </p>
        {busy && (
          <div role="status">
            <ProgressBar label={state === 'importing' ? '匯入中' : '刪除中'} share={null} />
            <p className="t13 ink3">
              {state === 'importing'
                ? `匯入 ${number(counts.pending)} 筆中，全部好了才會一起出現；可以離開這一頁`
                : '刪除中，訊號會一起作廢'}
            </p>
          </div>
        )}
      </div>
      {!busy && <IconButton icon="trash" label={`刪除 ${file_name}`} onClick={onRemove} />}
    </li>
  )
}

function RawRow({ row }: { row: OriginalDataRow }) {
  const { word, tone, icon } = STATUS[row.status]
  return (
    <li className={css.row}>
      <span className="num t12 ink3">
        {number(row.row_no)}
        {row.leg === 'entry' ? ' 進' : row.leg === 'exit' ? ' 出' : ''}
      </span>
      <span className={css.raw}>{row.raw_text}</span>
      <Tag tone={tone} icon={icon}>
        {word}
      </Tag>
      {row.error && <span className={css.error}>{row.error}</span>}
    </li>
  )
}

/* Bringing a file of XQ, or lines of one that are pasted: the keys, and the sheet that follows; the sheet outlives the place of the keys. */

// the reader of files is for who chooses one
const ImportSheet = lazy(() =>
  import('./ImportSheet.tsx').then(({ ImportSheet }) => ({ default: ImportSheet })),
)

interface Brought {
  file: File
  source: 'csv' | 'paste'
}

/** `keys` with the main one filled; `sheet` stands wherever the keys may go. */
export function useImport(strategy: Strategy): { keys: (primary: boolean) => ReactNode; sheet: ReactNode } {
  const [brought, setBrought] = useState<Brought | null>(null)
  const [pasting, setPasting] = useState(false)
  const keys = (primary: boolean) => (
    <div className={css.keys}>
      <FileButton
        testId="original-file"
        accept=".csv,.txt,.log"
        kind={primary ? 'filled' : 'outline'}
        onFile={(file) => setBrought({ file, source: 'csv' })}
      >
        匯入檔案
      </FileButton>
      <Button kind="ghost" onClick={() => setPasting(true)}>
        貼上文字
      </Button>
    </div>
  )
  const sheet = (
    <>
      {pasting && (
        <PasteSheet
          onClose={() => setPasting(false)}
          onRead={(file) => {
            setPasting(false)
            setBrought({ file, source: 'paste' })
          }}
        />
      )}
      {brought && (
        <Suspense>
          <ImportSheet
            key={`${brought.file.name} ${brought.file.lastModified} ${brought.file.size}`}
            strategy={strategy}
            {...brought}
            onClose={() => setBrought(null)}
          />
        </Suspense>
      )}
    </>
  )
  return { keys, sheet }
}

/** Lines as they are copied out of XQ or a spreadsheet; they are read as a file is. */
function PasteSheet({ onRead, onClose }: { onRead: (file: File) => void; onClose: () => void }) {
  const [text, setText] = useState('')
  const holds = text.trim() !== ''
  useDirtyForm(holds)
  return (
    <Sheet
      open
      onClose={onClose}
      sticky={holds}
      title="貼上文字"
      foot={
        <>
          <Button onClick={onClose}>取消</Button>
          <Button
            kind="filled"
            disabled={!holds}
            onClick={() => onRead(new File([text.trimEnd(), '\n'], '貼上的文字', { type: 'text/plain' }))}
          >
            讀取
          </Button>
        </>
      }
    >
      <TextField
        label="XQ 或試算表裡的列"
        hint="連標題一起貼，一列一行。下一步先讓你看內容，按下匯入才會寫進紀錄。"
        value={text}
        onChange={setText}
        maxLength={ORIGINAL_FILE_BYTES}
        rows={10}
        mono
      />
    </Sheet>
  )
}
