// The record that the address names, drawn before the application runs: a file of its own that index.html asks for only where an
// address names one. The components are the application's; elements.ts stands in for React (docs/decisions/first-visit.md).
import type { SignalRecord } from '#contract/signal.ts'
import type { Strategy } from '#contract/strategy.ts'
import { ctxOf } from '#data/context.ts'
import type { AnswerRow } from '#data/device/db.ts'
import type { Early, EarlyRows } from '#data/device/store.ts'
import { Hero } from '#features/signal/record/Hero.tsx'
import { averageBefore } from '#features/signal/record/neighbours.ts'
import { placeWords, titleOf } from '#features/signal/words.ts'
import { KEYS } from '#state/storage.ts'
import { Sheet } from '#ui/Modal.tsx'
import { mount } from './elements.ts'
import { answersOf, judge } from './judge.ts'
import { dressed, stage, whenTaken } from './stage.ts'

/** The same rows as the device would have them, of the first answers to a device that has none. */
async function answered({ asked }: Early, id: string): Promise<EarlyRows | null> {
  const answers = await answersOf(asked)
  const record = answers?.get(`/signals/${id}`) as SignalRecord | undefined
  const [question] = asked
  if (!answers || !record || !question) return null
  const ctx = ctxOf(question.org_id)
  const rows = [...answers.values()].map((data) => ({ data }) as AnswerRow)
  return { ctx, answers: rows, first: null, record: { ...record, ctx } }
}

/** Names as the kept lists of strategies have them. */
function nameIn({ answers }: EarlyRows, id: string): string | undefined {
  const lists = answers.map(({ data }) => (data as { items?: Pick<Strategy, 'id' | 'name'>[] }).items ?? [])
  return lists.flat().find((one) => one.id === id)?.name
}

/** When the application has refused the page, nothing of the dialog stays either. */
function leaveNothing(): void {
  const { documentElement } = document
  if (document.querySelector('dialog[open]')) return
  documentElement.removeAttribute('data-modal')
  documentElement.style.removeProperty('--scrollbar')
}

async function draw(early: Early): Promise<void> {
  const id = new URLSearchParams(location.search).get('signal') ?? ''
  const kept = early.named.then((rows) => (rows?.record ? rows : answered(early, id)))
  const [rows] = await Promise.all([kept, dressed()])
  const root = stage()
  if (!root || !rows?.record) return
  const { ctx, record, first } = rows
  const judged = judge(early.uid, localStorage, Date.now, location.search)
  if (judged?.ctx !== ctx || !judged.asked(early.asked) || !judged.shows(ctx, record.strategy_id)) return
  const own = (first?.records ?? []).filter(({ strategy_id }) => strategy_id === record.strategy_id)
  const masked = (localStorage.getItem(KEYS.privacy) ?? 'false') !== 'false'
  mount(
    <Sheet
      open
      tall
      clamped
      onClose={() => {}}
      title={titleOf(nameIn(rows, record.strategy_id))}
      subtitle={<span>{placeWords(record)}</span>}
    >
      <Hero record={record} average={averageBefore(record, own)} masked={masked} />
    </Sheet>,
    root,
    true,
  )
  const dialog = root.querySelector('dialog')
  if (!dialog) return
  // closed by Esc it would come again with the application a moment later
  dialog.addEventListener('cancel', (event) => event.preventDefault())
  dialog.dataset['glance'] = ''
  whenTaken(root, dialog, leaveNothing)
}

// without it the record stands when the application does
if (window.early) draw(window.early).catch((error: unknown) => console.warn('glance', error))
