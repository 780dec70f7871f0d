/* 重新解析: first what would change, then exactly that, with its progress; what is done is never done twice. */

import { useCallback, useEffect, useRef, useState } from 'react'
import { REPLAY_MOST } from '#contract/limits.ts'
import type { Webhook } from '#contract/webhook.ts'
import type { ReplayChange, ReplayItem } from '#contract/webhook-format.ts'
import {
  makeReplay,
  type ReplayPage,
  type ReplayPick,
  type ReplayWish,
  tryReplay,
} from '#data/nouns/webhook.ts'
import { useCtx } from '#screen/data.tsx'
import { useDirtyForm } from '#screen/dirty.ts'
import { failureSentence } from '#screen/failure.ts'
import { Refused } from '#screen/Refused.tsx'
import { number } from '#text/format.ts'
import { serverNow } from '#text/now.ts'
import { mdHms } from '#text/time.ts'
import { CHANGE_WORDS, readAs } from '#text/webhook.ts'
import { Button } from '#ui/Button.tsx'
import { ProgressBar } from '#ui/EmptyState.tsx'
import { Icon } from '#ui/Icon.tsx'
import { Sheet } from '#ui/Modal.tsx'
import { cx } from '#ui/open.ts'
import { Chips } from '#ui/Segments.tsx'
import { Switch } from '#ui/Switch.tsx'
import { Tag } from '#ui/Tag.tsx'
import { noteLeft } from './log.ts'
import css from './Webhook.module.css'
import { type VerdictChip, verdictOf } from './words.ts'

/** `pick` names rows by id, or all that fit a filter. */
export type ReplaySheetProps = {
  webhook: Webhook
  pick: ReplayPick
  onClose: () => void
}

const TITLES = {
  trying: '試算會改變什麼',
  told: '會改變什麼',
  making: '重新解析中',
  stopped: '停下來了',
  done: '重新解析完成',
}

export function ReplaySheet({ webhook, pick, onClose }: ReplaySheetProps) {
  const run = useReplay(webhook, pick)
  const [notify, setNotify] = useState(false)
  const { step, done, total, counts, lines, error } = run
  const busy = step === 'making'
  useDirtyForm(busy)
  const nothing = counts.new + counts.changed + counts.now_refused === 0
  return (
    <Sheet
      open
      tall
      onClose={busy ? run.stop : onClose}
      sticky={busy || step === 'stopped'}
      title={TITLES[step]}
      subtitle={webhook.name}
      foot={<ReplayFoot run={run} notify={notify} onClose={onClose} />}
    >
      <div className={css.ReplaySheet}>
        {((step === 'trying' && error == null) || busy) && (
          <div className={css.ReplaySheetHero} role="status">
            <ProgressBar label={TITLES[step]} share={total ? done / total : total === 0 ? 1 : null} />
            <p className="num t16 w6">{total === null ? '讀取中' : `${number(done)} / ${number(total)}`}</p>
            <p className="t13 ink3">
              {busy ? '取消會在這一批做完後停下，做完的會留著。' : '現在只是試算，還沒套用。'}
            </p>
          </div>
        )}
        <Refused
          text={
            error != null && failureSentence(error, step === 'trying' ? '什麼都沒有改變，' : '做完的都還在，')
          }
        />
        {step === 'told' && (
          <>
            <p>{nothing ? idle(counts) : `還沒套用。套用後${more(counts)}，部位與損益重算；原紀錄不動。`}</p>
            {!nothing && (
              <Switch
                label="通知"
                note="預設不通知任何人，這些是先前的訊息。"
                checked={notify}
                onChange={setNotify}
              />
            )}
            <ReplayList lines={lines} counts={counts} />
          </>
        )}
        {(step === 'done' || step === 'stopped') && (
          <div className={css.ReplaySheetHero} role="status">
            <p className="num t16 w6">
              {number(done)} / {number(total ?? 0)}
            </p>
            <p>{made(counts)}</p>
            {step === 'stopped' && <p className="t13 ink3">做完的不會重做，隨時可以接著做。</p>}
          </div>
        )}
      </div>
    </Sheet>
  )
}

/** Nothing changes: what that means, and what would change it. */
function idle({ still_refused }: Counts): string {
  return still_refused > 0
    ? '照現在的設定再讀一次，還是沒有收下，什麼都沒有改變。原因寫在下面：等你確認的請先確認格式，其他請修正來源後重送。'
    : '照現在的設定再讀一次，結果和原來相同，什麼都沒有改變。想換一種讀法，先改訊息格式或規則，再重新解析。'
}

/** 多 2 筆訊號、另記 3 筆更正或作廢。 */
function more({ new: added, changed, now_refused }: Counts): string {
  const pointing = changed + now_refused
  const parts = [
    added > 0 ? `多 ${number(added)} 筆訊號` : [],
    pointing > 0 ? `另記 ${number(pointing)} 筆更正或作廢` : [],
  ].flat()
  return parts.join('、')
}

/** 新成為訊號 1,200 則、改變 3 則。 */
function made(counts: Counts): string {
  const kinds = (Object.keys(CHANGE_WORDS) as (keyof Counts)[]).filter((change) => counts[change] > 0)
  return kinds.length === 0
    ? '還沒有做完任何一則。'
    : `${kinds.map((change) => `${CHANGE_WORDS[change]} ${number(counts[change])} 則`).join('、')}。`
}

/* What comes next on each step of a replay. */

export type ReplayFootProps = {
  run: ReturnType<typeof useReplay>
  notify: boolean
  onClose: () => void
}

export function ReplayFoot({ run, notify, onClose }: ReplayFootProps) {
  const { step, counts, done, total, error } = run
  if (step === 'making')
    return (
      <div className={css.ReplayFoot}>
        <Button onClick={run.stop}>取消</Button>
      </div>
    )
  const changing = counts.new + counts.changed + counts.now_refused
  return (
    <div className={css.ReplayFoot}>
      <Button
        kind={step === 'done' || (step === 'told' && changing === 0) ? 'filled' : 'outline'}
        onClick={onClose}
      >
        {step === 'trying' || (step === 'told' && changing > 0) ? '取消' : '關閉'}
      </Button>
      {step === 'trying' && error != null && (
        <Button kind="filled" onClick={run.retry}>
          再試一次
        </Button>
      )}
      {step === 'told' && changing > 0 && (
        <Button kind="filled" onClick={() => run.make(notify)}>
          套用 {number(changing)} 則
        </Button>
      )}
      {step === 'stopped' && (
        <Button kind="filled" onClick={() => run.make(notify)}>
          接著做其餘 {number((total ?? 0) - done)} 則
        </Button>
      )}
    </div>
  )
}

/* What a replay would change, kind by kind, each request as it is and as it would be. */

const ORDER = Object.keys(CHANGE_WORDS) as ReplayChange[]
const AT_ONCE = 50

export function ReplayList({ lines, counts }: { lines: readonly ReplayLine[]; counts: Counts }) {
  const there = ORDER.filter((change) => counts[change] > 0)
  const [picked, setPicked] = useState<ReplayChange | null>(null)
  const [shown, setShown] = useState(AT_ONCE)
  const kind = picked ?? there[0]
  const own = lines.filter(({ change }) => change === kind)
  return (
    <div className={css.ReplayList}>
      <Chips
        wrap
        label="會怎麼變"
        chips={there.map((change) => ({
          value: change,
          label: `${CHANGE_WORDS[change]} ${number(counts[change])}`,
          on: change === kind,
        }))}
        onPick={(change) => {
          setPicked(change as ReplayChange)
          setShown(AT_ONCE)
        }}
      />
      <ul>
        {own.slice(0, shown).map(({ id, received_at, before, after, was, says }) => (
          <li key={id}>
            <p className={css.ReplayListTurn}>
              <time className="num t13 ink3" dateTime={received_at}>
                {mdHms(received_at)}
              </time>
              <Said verdict={before} />
              <Icon name="arrow-right" size={14} className="ink3" label="變成" />
              <Said verdict={after} />
            </p>
            {was && <p className={cx(css.ReplayListWas, 't13 ink3')}>{was}</p>}
            <p className={css.ReplayListSays}>{says}</p>
          </li>
        ))}
      </ul>
      {own.length > shown && (
        <Button kind="ghost" onClick={() => setShown(shown + AT_ONCE)}>
          再看 {number(Math.min(AT_ONCE, own.length - shown))} 則
        </Button>
      )}
    </div>
  )
}

function Said({ verdict: { text, tone, icon } }: { verdict: VerdictChip }) {
  return (
    <Tag tone={tone} icon={icon}>
      {text}
    </Tag>
  )
}

/* One request of a replay as a line: what it was, what it becomes. Ten thousand of them are held: words, not messages. */

export type ReplayLine = {
  id: string
  received_at: string
  change: ReplayChange
  before: VerdictChip
  after: VerdictChip
  /** What was read until now; null when nothing was. */
  was: string | null
  says: string
}

export function lineOf({
  delivery_id,
  received_at,
  change,
  before,
  after,
  made,
  why,
}: ReplayItem): ReplayLine {
  const is = readAs(after.normal)
  const says =
    why ??
    (change === 'changed'
      ? `${is}（${made === 'correction' ? '另記一筆更正價格' : '原紀錄作廢，另記一筆'}）`
      : (after.reason ??
        (after.outcome === 'duplicate' ? '和先前一則重複，不另成訊號。' : is) ??
        '沒有可顯示的內容'))
  return {
    id: delivery_id,
    received_at,
    change,
    before: verdictOf(before),
    after: verdictOf(after),
    was: change === 'changed' || change === 'now_refused' ? readAs(before.normal) : null,
    says,
  }
}

/* One run of a replay: tried page by page, told, made batch by batch; stopped between two of them, or gone on with. */

export type Counts = Record<ReplayChange, number>
const NO_COUNTS: Counts = { new: 0, changed: 0, same: 0, still_refused: 0, now_refused: 0 }

export type ReplayRun = {
  step: 'trying' | 'told' | 'making' | 'stopped' | 'done'
  /** Of what is being tried or made. */
  done: number
  total: number | null
  /** Of the dry run, then of what was made. */
  counts: Counts
  lines: readonly ReplayLine[]
  error: unknown
}
const START: ReplayRun = { step: 'trying', done: 0, total: null, counts: NO_COUNTS, lines: [], error: null }

export function useReplay(webhook: Webhook, pick: ReplayPick) {
  const ctx = useCtx()
  const [run, setRun] = useState(START)
  const stop = useRef(false)
  /** Ids that are still to be made. */
  const left = useRef<string[]>([])
  /** As it was asked for: who opened the sheet draws itself anew meanwhile. */
  const asked = useRef(pick)
  const wish = useCallback(
    (signal: AbortSignal): ReplayWish => ({
      ...{ ctx, webhook_id: webhook.id, signal },
    }),
    [ctx, webhook.id],
  )

  const attempt = useCallback(
    async (signal: AbortSignal) => {
      let now = START
      setRun(now)
      try {
        for await (const page of tryReplay(wish(signal), asked.current)) {
          const lines = [...now.lines, ...page.items.map(lineOf)]
          now = { ...now, lines, done: lines.length, total: page.total, counts: sum(now.counts, page.counts) }
          setRun(now)
        }
        left.current = now.lines.filter(({ change }) => MADE.has(change)).map(({ id }) => id)
        setRun({ ...now, step: 'told' })
      } catch (error) {
        if (!signal.aborted) setRun({ ...now, error })
      }
    },
    [wish],
  )
  useEffect(() => {
    const leaving = new AbortController()
    void attempt(leaving.signal)
    return () => leaving.abort()
  }, [attempt])

  const make = async (notify: boolean) => {
    const ids = left.current
    const begun = run.step === 'told' ? { done: 0, total: ids.length, counts: NO_COUNTS } : run
    let now: ReplayRun = { ...run, ...begun, step: 'making', error: null }
    stop.current = false
    setRun(now)
    try {
      for await (const page of makeReplay(wish(new AbortController().signal), ids, notify)) {
        left.current = left.current.slice(REPLAY_MOST)
        const done = (now.total ?? 0) - left.current.length
        now = { ...now, done, counts: sum(now.counts, page.counts) }
        noteLeft(webhook.id, { done, total: now.total ?? 0, at: serverNow(), pick: asked.current })
        setRun(now)
        if (stop.current) break
      }
      const through = left.current.length === 0
      if (through) noteLeft(webhook.id, null)
      setRun({ ...now, step: through ? 'done' : 'stopped' })
    } catch (error) {
      setRun({ ...now, step: 'stopped', error })
    }
  }
  return {
    ...run,
    retry: () => void attempt(new AbortController().signal),
    make: (notify: boolean) => void make(notify),
    stop: () => {
      stop.current = true
    },
  }
}

/** What a commit is asked for; the others stay as they are. */
const MADE: ReadonlySet<ReplayChange> = new Set(['new', 'changed', 'now_refused'] as const)

function sum(a: Counts, b: ReplayPage['counts']): Counts {
  const both = { ...a }
  for (const key of Object.keys(both) as ReplayChange[]) both[key] += b[key]
  return both
}
