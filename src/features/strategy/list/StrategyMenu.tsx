/* 更多 of a strategy in the list: open, edit, copy, pause; what deletes stays on the strategy's own page. */

import { lazy, Suspense, useState } from 'react'
import type { Strategy } from '#contract/strategy.ts'
import { useGo } from '#screen/go.ts'
import { STATUS_TEXT, warningText } from '#text/strategy.ts'
import { IconButton } from '#ui/IconButton.tsx'
import { Menu, type MenuItem } from '#ui/Menu.tsx'
import { Tag } from '#ui/Tag.tsx'
import css from '../StrategyListPage.module.css'
import { useMenu } from '../use-menu.ts'
import { type ListSection, untilWords } from './arrange.ts'

const DuplicateDialog = lazy(() =>
  import('../DuplicateDialog.tsx').then(({ DuplicateDialog }) => ({ default: DuplicateDialog })),
)

export function StrategyMenu({ strategy }: { strategy: Strategy }) {
  const { go } = useGo()
  const [copying, setCopying] = useState(false)
  const { notify, edit, copy, turn } = useMenu(strategy, () => setCopying(true))
  const page = go(`/strategies/${strategy.id}`)
  const view: MenuItem = { label: '檢視', icon: 'eye', href: page.href, onPick: page.onClick }
  const items = [view, notify, edit, copy, turn && { ...turn, apart: true }]
  const id = `menu-${strategy.id}`
  return (
    <>
      <IconButton icon="more" size={18} label={`${strategy.name}：更多`} quiet opensId={id} />
      <Menu id={id} label={`${strategy.name}：更多`} items={items.filter((item) => item !== null)} />
      {copying && (
        <Suspense>
          <DuplicateDialog strategy={strategy} onClose={() => setCopying(false)} />
        </Suspense>
      )}
    </>
  )
}

/* The one tag a strategy may carry: what is wrong, that its figures are being worked out, or that it rests. */

export function StrategyMark({ strategy }: { strategy: Strategy }) {
  const warning = strategy.status === 'archived' ? null : warningText(strategy)
  if (warning)
    return (
      <Tag tone="warn" icon="warning">
        {warning}
      </Tag>
    )
  if (strategy.recalculating) return <Tag>績效重算中</Tag>
  return strategy.status === 'active' ? null : <Tag>{STATUS_TEXT[strategy.status]}</Tag>
}

/* The last day of one strategy, where those of its group end on different days. */

/** `today` in Taipei; left out, the day stands over the whole group. */
export function UntilMark({ strategy, today }: { strategy: Strategy; today: string | undefined }) {
  if (today === undefined || !strategy.access) return null
  const { text, soon } = untilWords(strategy.access.valid_until, today, true)
  return <Tag {...(soon && ({ tone: 'warn', icon: 'calendar' } as const))}>{text}</Tag>
}

/* The name of a group over its strategies, how many they are, and the last day for all of them. */

/** `today` in Taipei. */
export type GroupHeadProps = Pick<ListSection, 'name' | 'until'> & { count: number; today: string }

export function GroupHead({ name, until, count, today }: GroupHeadProps) {
  const words = until === undefined ? null : untilWords(until, today)
  return (
    <header className={css.GroupHead}>
      <h2 className="el" title={name}>
        {name}
      </h2>
      <span className="t13 ink3 num nowrap">{count} 個</span>
      <span className="sp" />
      {words &&
        (words.soon ? (
          <Tag tone="warn" icon="calendar">
            {words.text}
          </Tag>
        ) : (
          <span className="t13 ink3 num nowrap">{words.text}</span>
        ))}
    </header>
  )
}
