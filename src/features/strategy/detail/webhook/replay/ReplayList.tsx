/* What a replay would change, kind by kind, each request as it is and as it would be. */
import { useState } from 'react'
import type { ReplayChange } from '#contract/webhook-format.ts'
import { number } from '#text/format.ts'
import { mdHms } from '#text/time.ts'
import { CHANGE_WORDS } from '#text/webhook.ts'
import { Button } from '#ui/Button.tsx'
import { Chips } from '#ui/Chips.tsx'
import { Icon } from '#ui/Icon.tsx'
import { cx } from '#ui/open.ts'
import { Tag } from '#ui/Tag.tsx'
import type { VerdictChip } from '../words.ts'
import type { ReplayLine } from './lines.ts'
import css from './ReplayList.module.css'
import type { Counts } from './use-replay.ts'

const ORDER = Object.keys(CHANGE_WORDS) as ReplayChange[]
const AT_ONCE = 50

export function ReplayList({ lines, counts }: { lines: readonly ReplayLine[]; counts: Counts }) {
  const there = ORDER.filter((change) => counts[change] > 0)
  const [picked, setPicked] = useState<ReplayChange | null>(null)
  const [shown, setShown] = useState(AT_ONCE)
  const kind = picked ?? there[0]
  const own = lines.filter(({ change }) => change === kind)
  return (
    <div className={css.root}>
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
            <p className={css.turn}>
              <time className="num t13 ink3" dateTime={received_at}>
                {mdHms(received_at)}
              </time>
              <Said verdict={before} />
              <Icon name="arrow-right" size={14} className="ink3" label="變成" />
              <Said verdict={after} />
            </p>
            {was && <p className={cx(css.was, 't13 ink3')}>{was}</p>}
            <p className={css.says}>{says}</p>
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
