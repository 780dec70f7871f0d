// /demo-strategylist/color-test: every colour with its contrast as this browser shows it, in both themes.
import { useLayoutEffect, useRef, useState } from 'react'
import { useGo } from '#screen/go.ts'
import { ratio } from '#text/format.ts'
import { Button } from '#ui/Button.tsx'
import { Card } from '#ui/Card.tsx'
import { PageHead } from '#ui/PageHead.tsx'
import { Segments } from '#ui/Segments.tsx'
import { Tag } from '#ui/Tag.tsx'
import css from './ColorTestPage.module.css'
import { COLOURS, contrast, PAIRS } from './contrast.ts'

const THEMES = [
  { theme: 'light', title: '淺色' },
  { theme: 'dark', title: '深色' },
] as const
const TOKENS = Object.keys(COLOURS)

/** The tightest pair of a colour: whatever it stands on, or what stands on it. */
export type Tightest = { token: string; other: string; on: boolean; value: number; least: number }

/** Measures every colour of the board by what the browser made of it. */
function measure(board: HTMLElement): Map<string, Tightest | null> {
  const rgb = new Map<string, number[]>()
  for (const swatch of board.querySelectorAll<HTMLElement>('[data-token]')) {
    const drawn = getComputedStyle(swatch).backgroundColor
    rgb.set(swatch.dataset['token'] ?? '', (drawn.match(/[\d.]+/g) ?? []).slice(0, 3).map(Number))
  }
  const found = TOKENS.map((token): [string, Tightest | null] => {
    const pairs = PAIRS.filter(([front, back]) => front === token || back === token).map(
      ([front, back, least]): Tightest => ({
        token,
        other: front === token ? back : front,
        on: front === token,
        value: contrast(rgb.get(front) ?? [], rgb.get(back) ?? []),
        least,
      }),
    )
    pairs.sort((a, b) => a.value / a.least - b.value / b.least)
    return [token, pairs[0] ?? null]
  })
  return new Map(found)
}

export function ColorTestPage() {
  const { go } = useGo()
  const [only, setOnly] = useState<'all' | 'failed'>('all')
  return (
    <div className="page">
      <PageHead
        title="色彩與對比"
        meta="數字是這個瀏覽器當場量的。每個顏色只列最吃緊的一組：文字至少 4.5，邊線與圖形至少 3。"
      >
        <Button size="s" {...go('/demo-strategylist')}>
          策略列表示範
        </Button>
      </PageHead>
      <div className={css.bar}>
        <Segments
          label="顯示哪些顏色"
          tall
          value={only}
          onChange={setOnly}
          options={[
            { value: 'all', label: '全部' },
            { value: 'failed', label: '只看不足的' },
          ]}
        />
      </div>
      <div className={css.boards}>
        {THEMES.map((one) => (
          <Board key={one.theme} {...one} only_failed={only === 'failed'} />
        ))}
      </div>
    </div>
  )
}

function Board({ theme, title, only_failed }: (typeof THEMES)[number] & { only_failed: boolean }) {
  const board = useRef<HTMLDivElement>(null)
  const [measured, setMeasured] = useState<ReadonlyMap<string, Tightest | null>>(new Map())
  useLayoutEffect(() => {
    if (board.current) setMeasured(measure(board.current))
  }, [])
  const failed = [...measured.values()].filter((one) => one && one.value < one.least).length
  const isHidden = (one: Tightest | null | undefined) => only_failed && !(one && one.value < one.least)
  return (
    <div className={css.board} data-theme={theme} ref={board}>
      <Card
        title={title}
        count={TOKENS.length}
        flush
        action={
          failed > 0 ? (
            <Tag tone="danger" icon="warning">
              {failed} 個不足
            </Tag>
          ) : (
            <Tag tone="good" icon="check">
              全部合格
            </Tag>
          )
        }
      >
        <ul className={css.colours}>
          {TOKENS.map((token) => (
            <li key={token} hidden={isHidden(measured.get(token))}>
              <i data-token={token} style={{ background: `var(--${token})` }} />
              <span className="sp">
                <b className="mono">{token}</b>
                <small>{COLOURS[token]}</small>
              </span>
              <Measured one={measured.get(token) ?? null} />
            </li>
          ))}
        </ul>
        {only_failed && failed === 0 && <p className={`${css.none} ink3`}>沒有不足的顏色。</p>}
      </Card>
    </div>
  )
}

function Measured({ one }: { one: Tightest | null }) {
  if (!one) return <span className="t12 ink3">只是裝飾</span>
  const bad = one.value < one.least
  return (
    <span className={`${css.measured} r`}>
      <span className={bad ? 'num danger-ink w6' : 'num w6'}>{ratio(one.value)}</span>
      <small className="ink3">
        {one.on ? `在 ${one.other} 上` : `上面是 ${one.other}`}，{bad ? '不足' : '需'} {one.least}
      </small>
    </span>
  )
}
