// One part of the interface in the gallery: its name, what it is for, and the states below it.

import type { ReactNode } from 'react'
import { cx } from '#ui/open.ts'
import css from '../ComponentDemoPage.module.css'

/** Sixty Chinese characters: the longest name that anything here may have. */
export const LONG =
  '凌波微步羅襪生塵動無常則若危若安進止難期若往若還轉眄流精光潤玉顏含辭未吐氣若幽蘭華容婀娜令我忘餐於是屏翳收風川后靜波'
    .concat('馮夷鳴鼓女媧清歌')
    .slice(0, 60)

/** `name` is the component's own, also the anchor; `lines` gives each of its parts the whole line. */
type PartProps = { name: string; about: string; lines?: boolean; children: ReactNode }

export function Part({ name, about, lines, children }: PartProps) {
  return (
    <section className={css.Part} id={name} data-lines={lines || undefined}>
      <h2>
        <a href={`#${name}`}>{name}</a>
      </h2>
      <p className="t13 ink3">{about}</p>
      <div className={css.PartStates}>{children}</div>
    </section>
  )
}

/** One state with its word above it; `wide` takes the whole line. */
export function State({ word, wide, children }: { word: string; wide?: boolean; children: ReactNode }) {
  return (
    <div className={wide ? cx(css.PartState, css.PartWide) : css.PartState}>
      <span className="t12 ink3">{word}</span>
      <div className={css.PartShow}>{children}</div>
    </div>
  )
}

// The board that the gallery stands on.

/** `theme` of its own; `narrow` as wide as a phone. */
export function Board({
  theme,
  narrow = false,
  children,
}: {
  theme?: 'light' | 'dark'
  narrow?: boolean
  children: ReactNode
}) {
  return (
    <div className={cx(css.Board, narrow && css.BoardNarrow)} data-theme={theme}>
      {children}
    </div>
  )
}
