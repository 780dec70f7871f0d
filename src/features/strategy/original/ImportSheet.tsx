/* 匯入檔案: the first rows with their faults and what the server would make of all of them, then the import itself. */
import { useMutation, useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { columnMapping, type OriginalBatch, PREVIEW_ROWS } from '#contract/original-data.ts'
import type { Strategy } from '#contract/strategy.ts'
import {
  type ChosenFile,
  originalMutations,
  originalQueries,
  readInWorker,
  type TriedImport,
  tryImport,
  UnreadFile,
} from '#data/nouns/original-data.ts'
import { useCtx } from '#screen/data.tsx'
import { useDirtyForm } from '#screen/dirty.ts'
import { failureSentence } from '#screen/failure.ts'
import { useGo } from '#screen/go.ts'
import { Refused } from '#screen/Refused.tsx'
import { number } from '#text/format.ts'
import { serverNow } from '#text/now.ts'
import type { OriginalRow, ReadFile } from '#trading/original/rows.ts'
import {
  type AskedEncoding,
  COLUMN_FIELDS,
  type ColumnField,
  ORIGINAL_FILE_BYTES,
} from '#trading/original/shape.ts'
import type { Action } from '#trading/record.ts'
import { ACTION_WORDS } from '#trading/record-words.ts'
import { Button } from '#ui/Button.tsx'
import { Fold } from '#ui/Card.tsx'
import { ProgressBar } from '#ui/EmptyState.tsx'
import { Sheet } from '#ui/Modal.tsx'
import { SegmentsField } from '#ui/Segments.tsx'
import { SelectField } from '#ui/SelectField.tsx'
import { Tag } from '#ui/Tag.tsx'
import css from './OriginalTab.module.css'
import { DELIMITER_WORDS, ENCODING_WORDS, FIELD_WORDS, STATUS } from './words.ts'

const ENCODINGS: { value: AskedEncoding; label: string }[] = [
  { value: 'auto', label: '自動' },
  { value: 'utf-8', label: 'UTF-8' },
  { value: 'big5', label: 'Big5' },
]
const NONE = '不使用'

export type ImportSheetProps = {
  strategy: Strategy
  file: File
  source: ChosenFile['source']
  onClose: () => void
}

export function ImportSheet({ strategy, file, source, onClose }: ImportSheetProps) {
  const ctx = useCtx()
  const { open } = useGo()
  const pasted = source === 'paste'
  const [encoding, setEncoding] = useState<AskedEncoding>(
    pasted ? 'utf-8' : 'file_encoding' in strategy.settings ? strategy.settings.file_encoding : 'auto',
  )
  const [mapping, setMapping] = useState(
    () => ('csv_mapping' in strategy.settings && columnMapping(strategy.settings.csv_mapping)) || {},
  )
  const { chosen, read, tried, share, error } = useFile(strategy, { file, source, encoding, mapping })
  const take = useMutation(originalMutations.take(ctx, strategy.id))
  const list = useQuery(originalQueries.list(ctx, strategy.id, {}))
  const taken = take.data
  const batch = list.data?.batches.find(({ id }) => id === taken?.batch_id)
  const done = batch?.state === 'done'
  const busy = take.isPending || (taken !== undefined && !done)
  useDirtyForm(take.isPending)
  const title = done ? '匯入完成' : busy ? '匯入中' : pasted ? '匯入文字' : '匯入檔案'
  const move = (at: number, field: ColumnField | '') => {
    const columns = read?.columns ?? []
    const name = columns[at]?.name ?? ''
    const next = Object.fromEntries(
      Object.entries(mapping).filter(([, source]) => source !== name && source !== `#${at + 1}`),
    )
    const was = columns[at]?.field
    setMapping({
      ...next,
      ...(was && was !== field && { [was]: '' }),
      ...(field !== '' && { [field]: name }),
    })
  }
  return (
    <Sheet
      open
      tall={!taken && !take.isPending}
      onClose={onClose}
      title={title}
      subtitle={file.name}
      foot={
        <>
          {done && batch.counts.imported > 0 && (
            <Button onClick={() => open(`/strategies/${strategy.id}?tab=signals`)}>看訊號</Button>
          )}
          <Button kind={done ? 'filled' : 'outline'} onClick={onClose}>
            {done ? '完成' : busy ? '在背景繼續' : '取消'}
          </Button>
          {!taken && (
            <Button
              kind="filled"
              busy={take.isPending}
              disabled={!chosen || !tried || tried.taken === 0}
              onClick={() => chosen && take.mutate(chosen)}
            >
              {tried ? (tried.taken === 0 ? '沒有可以匯入的' : `匯入 ${number(tried.taken)} 筆`) : '匯入'}
            </Button>
          )}
        </>
      }
    >
      <div className={css.ImportSheet}>
        {taken || take.isPending ? (
          <div className={css.ImportSheetHero} role="status">
            {done ? (
              <>
                <p className="num t20 w6">新增 {number(batch.counts.imported)} 筆</p>
                <p className="t13 ink3">{afterWords(batch.counts)}</p>
              </>
            ) : (
              <>
                <ProgressBar label="匯入中" share={null} />
                <p className="num t16 w6">匯入 {number(taken?.taken ?? tried?.taken ?? 0)} 筆中</p>
                <p className="t13 ink3">全部好了才會一起出現；離開這一頁也會做完。</p>
              </>
            )}
          </div>
        ) : (
          <>
            {!read && !error && (
              <div className={css.ImportSheetHero} role="status">
                <ProgressBar label="讀取檔案" share={share} />
                <p>讀取檔案中</p>
                <p className="t13 ink3">還沒有匯入任何東西，隨時可以取消。</p>
              </div>
            )}
            <Refused text={error !== null && sentenceOf(error)} />
            {!pasted && (
              <SegmentsField
                name="encoding"
                label="檔案編碼"
                value={encoding}
                onChange={setEncoding}
                options={ENCODINGS}
              />
            )}
            {read && <Found read={read} tried={tried} />}
            {read && read.columns.length > 0 && (
              <div className={css.ImportSheetMapping}>
                <Fold
                  title="欄位對應"
                  note={`${read.columns.filter(({ field }) => field !== null).length} / ${read.columns.length} 欄`}
                  icon="settings"
                >
                  <div className={css.ImportSheetColumns}>
                    {read.columns.map(({ name, field }, at) => (
                      <SelectField
                        key={name}
                        name={`column-${at}`}
                        label={name}
                        value={field ?? 'none'}
                        onChange={(value) => move(at, value === 'none' ? '' : value)}
                        options={[
                          { value: 'none' as const, label: NONE },
                          ...COLUMN_FIELDS.map((one) => ({ value: one, label: FIELD_WORDS[one] })),
                        ]}
                      />
                    ))}
                  </div>
                  <p className="t13 ink3">匯入之後會記住，下一個檔案照著讀。</p>
                </Fold>
              </div>
            )}
            {read && (
              <ul className={css.ImportSheetRows} aria-label="前 50 筆">
                {read.rows.slice(0, PREVIEW_ROWS).map((row, i) => (
                  <PreviewRow key={`${row.row_no} ${row.leg}`} row={row} tried={tried?.preview[i]} />
                ))}
              </ul>
            )}
            <Refused text={take.error !== null && failureSentence(take.error, '什麼都沒有匯入，')} />
          </>
        )}
      </div>
    </Sheet>
  )
}

/** What else became of the rows, and what follows. */
function afterWords({ duplicate, invalid, ignored_by_rule }: OriginalBatch['counts']): string {
  const others = [
    ...(duplicate > 0 ? [`重複 ${number(duplicate)}`] : []),
    ...(ignored_by_rule > 0 ? [`依規則忽略 ${number(ignored_by_rule)}`] : []),
    ...(invalid > 0 ? [`錯誤 ${number(invalid)}（在「每一列」看原因，修正後可以重新處理）`] : []),
  ]
  const rest = others.length > 0 ? `${others.join('、')}。` : ''
  return `${rest}部位與損益幾秒後就是新的。`
}

function sentenceOf(error: unknown): string {
  return error instanceof UnreadFile ? error.message : failureSentence(error, '什麼都沒有匯入，')
}

/** The file as it is read here, and what the server says of all of it; anew with every other way of reading. */
function useFile(
  strategy: Strategy,
  { file, source, encoding, mapping }: { file: File } & Omit<ChosenFile, 'bytes' | 'name'>,
) {
  const ctx = useCtx()
  const [state, setState] = useState<{
    chosen?: ChosenFile
    read?: ReadFile
    tried?: TriedImport
    share: number
    error: unknown
  }>({ share: 0, error: null })
  const { id } = strategy
  const text = JSON.stringify(mapping)
  // biome-ignore lint/correctness/useExhaustiveDependencies: what the mapping says is its text
  useEffect(() => {
    const ending = new AbortController()
    const { signal } = ending
    const put = (more: Partial<typeof state>) => {
      if (!signal.aborted) setState((known) => ({ ...known, ...more }))
    }
    const run = async () => {
      if (file.size > ORIGINAL_FILE_BYTES)
        throw new UnreadFile(`檔案有 ${(file.size / 1024 / 1024).toFixed(1)} MB，最多 10 MB：請分成幾個檔案`)
      const bytes = new Uint8Array(await file.arrayBuffer())
      const chosen = { bytes, name: file.name, source, encoding, mapping }
      const onShare = (share: number) => put({ share })
      const read = await readInWorker(chosen, strategy, {
        signal,
        onShare,
        now: serverNow(),
        most: PREVIEW_ROWS,
      })
      put({ read, error: null })
      const tried = await tryImport(ctx, id, chosen, signal)
      put({ chosen, tried })
    }
    setState(({ read }) => ({ ...(read && { read }), share: 0, error: null }))
    run().catch((error: unknown) => {
      if (!signal.aborted)
        setState(({ read }) => ({
          // a file that cannot be read shows nothing of how it was read before
          ...(read && !(error instanceof UnreadFile) && { read }),
          share: 0,
          error,
        }))
    })
    return () => ending.abort()
  }, [ctx, id, file, source, encoding, text])
  return state
}

/** How it was read, and what would become of all rows. */
function Found({ read, tried }: { read: ReadFile; tried: TriedImport | undefined }) {
  const { encoding, delimiter, kind, count } = read
  const layout = kind === 'lines' ? '逐行' : kind === 'trades' ? '交易明細（一列兩筆）' : '表格'
  const how = [
    `${number(count)} 筆`,
    ENCODING_WORDS[encoding],
    layout,
    ...(delimiter ? [`以${DELIMITER_WORDS[delimiter]}分隔`] : []),
  ]
  return (
    <div className={css.ImportSheetFound}>
      <p className="t13 ink3">{how.join(' · ')}</p>
      <div className={css.ImportSheetCounts} role="status">
        {tried ? (
          <>
            <Tag tone="good" icon="plus">
              新增 {number(tried.taken)}
            </Tag>
            <Tag icon="copy">重複 {number(tried.duplicate)}</Tag>
            {tried.ignored_by_rule > 0 && <Tag icon="filter">依規則忽略 {number(tried.ignored_by_rule)}</Tag>}
            <Tag {...(tried.refused_count > 0 && { tone: 'danger' as const })} icon="warning">
              錯誤 {number(tried.refused_count)}
            </Tag>
          </>
        ) : (
          <p className="t13 ink3">試算新增、重複與錯誤中…</p>
        )}
      </div>
    </div>
  )
}

function PreviewRow({ row, tried }: { row: OriginalRow; tried: TriedImport['preview'][number] | undefined }) {
  const error = row.error ?? tried?.error ?? null
  const { word, tone, icon } = STATUS[tried?.status ?? (error === null ? 'new' : 'invalid')]
  const { parsed } = row
  const action = parsed?.action && (ACTION_WORDS[parsed.action as Action] ?? parsed.action)
  return (
    <li className={css.ImportSheetRow}>
      <span className="num t12 ink3">{number(row.row_no)}</span>
      <span className={css.ImportSheetSaid}>
        {parsed && error === null ? (
          <>
            <span className="num w6">{parsed.symbol}</span> {parsed.name} {action}{' '}
            <span className="num">{parsed.price ?? '待補價'}</span>
          </>
        ) : (
          <span className={css.ImportSheetRaw}>{row.raw}</span>
        )}
      </span>
      <Tag tone={tone} icon={icon}>
        {word}
      </Tag>
      {error === null ? (
        parsed?.time && <span className={css.ImportSheetTime}>{timeWords(parsed.time)}</span>
      ) : (
        <span className={css.ImportSheetError}>{error}</span>
      )}
    </li>
  )
}

/** `2026/11/20 09:30:00` in Taipei, which has no summer time. */
function timeWords(at: string): string {
  return new Date(Date.parse(at) + 8 * 3_600_000)
    .toISOString()
    .slice(0, 19)
    .replaceAll('-', '/')
    .replace('T', ' ')
}
