// The record that the address names, drawn before the application runs: a file of its own that index.html asks for only where an
// address names one. The components are the application's; elements.ts stands in for React (docs/decisions/first-visit.md).
import type { Strategy } from '#contract/strategy.ts'
import type { Early, EarlyRows } from '#data/device/store.ts'
import { mayRead } from '#features/signal/may-read.ts'
import { Hero } from '#features/signal/record/Hero.tsx'
import { averageBefore } from '#features/signal/record/neighbours.ts'
import { placeWords, titleOf } from '#features/signal/words.ts'
import { KEYS } from '#state/storage.ts'
import { Sheet } from '#ui/Modal.tsx'
import { mount } from './elements.ts'

/** Names as the kept lists of strategies have them. */
function nameIn({ answers }: EarlyRows, id: string): string | undefined {
  const lists = answers.map(({ data }) => (data as { items?: Pick<Strategy, 'id' | 'name'>[] }).items ?? [])
  return lists.flat().find((one) => one.id === id)?.name
}

/** Resolves when every stylesheet that the page has asked for is there: nothing is shown without its looks. */
function dressed(): Promise<unknown> {
  const links = [...document.querySelectorAll<HTMLLinkElement>('link[rel=stylesheet]')]
  return Promise.all(
    links.map(
      (link) => link.sheet ?? new Promise((done) => link.addEventListener('load', done, { once: true })),
    ),
  )
}

/** When the application has taken its place, or has refused the page, nothing of the glance stays. */
function followTakeover(root: HTMLElement, dialog: HTMLElement): void {
  const { documentElement } = document
  new MutationObserver((_, observer) => {
    if (dialog.isConnected) return
    observer.disconnect()
    if (document.querySelector('dialog[open]')) return
    documentElement.removeAttribute('data-modal')
    documentElement.style.removeProperty('--scrollbar')
  }).observe(root, { childList: true })
}

async function draw(early: Early): Promise<void> {
  const [rows] = await Promise.all([early.named, dressed()])
  const root = document.getElementById('root')
  // the application was quicker
  if (!root || !document.getElementById('boot') || !rows?.record) return
  if (!mayRead(rows, early.uid, localStorage, Date.now)) return
  const { record, first } = rows
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
  )
  const dialog = root.querySelector('dialog')
  if (!dialog) return
  // closed by Esc it would come again with the application a moment later
  dialog.addEventListener('cancel', (event) => event.preventDefault())
  dialog.dataset['glance'] = ''
  followTakeover(root, dialog)
}

// without it the record stands when the application does
if (window.early) draw(window.early).catch((error: unknown) => console.warn('glance', error))
