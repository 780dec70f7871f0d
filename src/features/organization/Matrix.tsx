/* 總表: everybody and every strategy against all groups, with their days; tables on wide screens, cards on phones. */

import { useQuery } from '@tanstack/react-query'
import { useVirtualizer, useWindowVirtualizer } from '@tanstack/react-virtual'
import { type CSSProperties, type ReactNode, useLayoutEffect, useMemo, useRef, useState } from 'react'
import type { GroupMatrix } from '#contract/group.ts'
import { ROLE_NAMES } from '#contract/permissions.ts'
import { groupQueries } from '#data/nouns/organization.ts'
import { useWide } from '#screen/browser.ts'
import { number } from '#text/format.ts'
import { STATUS_TEXT } from '#text/strategy.ts'
import { ymd } from '#text/time.ts'
import { KINDS } from '#trading/kinds.ts'
import { Button } from '#ui/Button.tsx'
import { Card, Table } from '#ui/Card.tsx'
import { EmptyState } from '#ui/EmptyState.tsx'
import { Icon } from '#ui/Icon.tsx'
import { cx, opens } from '#ui/open.ts'
import { Chips, Segments } from '#ui/Segments.tsx'
import { Tag } from '#ui/Tag.tsx'
import { SearchField } from '#ui/TextField.tsx'
import css from './Matrix.module.css'
import {
  type Cell,
  type MatrixLine,
  type MemberLine,
  matching,
  memberLines,
  type StrategyLine,
  strategyLines,
} from './matrix-lines.ts'
import { Bar, ListState, Person, TwoLines } from './Parts.tsx'
import { useOrganization, usePlace, useWord } from './TabList.tsx'
import { periodStateWords, periodText, shortPeriod } from './words.ts'

const ROWS = [
  { value: 'members', label: '成員' },
  { value: 'strategies', label: '策略' },
] as const

/** `view` switches back to the list, `action` makes a group, `none` stands there while there is none. */
export type MatrixProps = { view: ReactNode; action: ReactNode; none: ReactNode }

export function Matrix({ view, action, none }: MatrixProps) {
  const { ctx } = useOrganization()
  const { search, change } = usePlace()
  const { box } = useWord()
  const wide = useWide()
  const query = useQuery(groupQueries.matrix(ctx))
  const rows = search.rows === 'strategies' ? 'strategies' : 'members'
  const expiring = search.status === 'expiring'
  if (query.data?.groups.length === 0) return none
  return (
    <>
      <Bar
        search={<SearchField label="搜尋總表" placeholder="成員、策略、群組" {...box} />}
        chips={
          <>
            {view}
            {!wide && (
              <Segments
                label="總表的列"
                value={rows}
                onChange={(value) => change({ rows: value === 'members' ? '' : value })}
                options={ROWS}
                tall
              />
            )}
            <Chips
              inline="phone"
              label="期間"
              chips={[{ value: 'expiring', label: '7 天內到期', on: expiring }]}
              onPick={(value) => change({ status: expiring ? '' : value })}
            />
          </>
        }
        action={action}
      />
      <ListState query={query} title="讀不到總表">
        {(matrix) => <Whole matrix={matrix} only={wide ? null : rows} />}
      </ListState>
    </>
  )
}

/** `only` one of the two kinds of lines, as cards; null both, as tables. */
function Whole({ matrix, only }: { matrix: GroupMatrix; only: (typeof ROWS)[number]['value'] | null }) {
  const { search } = usePlace()
  const { groups } = matrix
  const expiring = search.status === 'expiring'
  const word = search.search?.trim() ?? ''
  const lines = useMemo(() => ({ members: memberLines(matrix), strategies: strategyLines(matrix) }), [matrix])
  const members = useMemo(
    () => matching(lines.members, groups, { word, expiring }),
    [lines, groups, word, expiring],
  )
  const strategies = useMemo(
    () => matching(lines.strategies, groups, { word, expiring }),
    [lines, groups, word, expiring],
  )
  if (only === 'members')
    return members.length === 0 ? (
      <Nothing noun="成員" card />
    ) : (
      <MatrixCards
        label="成員與群組"
        groups={groups}
        lines={members}
        head={(line) => <MemberHead line={line} size={36} />}
      />
    )
  if (only === 'strategies')
    return strategies.length === 0 ? (
      <Nothing noun="策略" card />
    ) : (
      <MatrixCards
        label="策略與群組"
        groups={groups}
        lines={strategies}
        head={(line) => <StrategyHead line={line} />}
      />
    )
  if (members.length + strategies.length === 0) return <Nothing noun="成員或策略" card />
  return (
    <div className="stack">
      <Card title="成員" count={members.length} flush>
        {members.length === 0 ? (
          <Nothing noun="成員" />
        ) : (
          <MatrixTable
            label="成員與群組"
            noun="姓名"
            groups={groups}
            lines={members}
            head={(line) => <MemberHead line={line} size={32} />}
          />
        )}
      </Card>
      <Card title="策略" count={strategies.length} flush>
        {strategies.length === 0 ? (
          <Nothing noun="策略" />
        ) : (
          <MatrixTable
            label="策略與群組"
            noun="策略名稱"
            groups={groups}
            lines={strategies}
            head={(line) => <StrategyHead line={line} />}
          />
        )}
      </Card>
    </div>
  )
}

/** Nothing of what was asked for; without a question there is only a strategy that can be missing. */
function Nothing({ noun, card = false }: { noun: string; card?: boolean }) {
  const { search, change } = usePlace()
  if (!search.search && !search.status)
    return (
      <EmptyState card={card} title={`組織還沒有${noun}`}>
        以組織的身份建立的策略屬於組織，放進群組後成員就看得到。
      </EmptyState>
    )
  return (
    <EmptyState
      card={card}
      title={`沒有符合條件的${noun}`}
      action={
        <Button size="s" onClick={() => change({ search: '', status: '' })}>
          清除條件
        </Button>
      }
    >
      換個字，或清除條件再看一次。
    </EmptyState>
  )
}

/* Lines × groups: names stay at the left and groups at the top while the table scrolls in its box; only rows in sight are drawn of many. */

/** From so many rows on those out of sight are not drawn. */
const MANY = 100
/** A row with its line (the styles beside). */
const ROW_PX = 53

export type MatrixTableProps<L> = {
  label: string
  /** What stands over the first column. */
  noun: string
  groups: GroupMatrix['groups']
  lines: readonly L[]
  head: (line: L) => ReactNode
}

export function MatrixTable<L extends MatrixLine<unknown>>(props: MatrixTableProps<L>) {
  const { label, noun, groups, lines } = props
  const box = useRef<HTMLDivElement>(null)
  const many = lines.length > MANY
  const virtual = useVirtualizer({
    count: lines.length,
    enabled: many,
    getScrollElement: () => box.current,
    estimateSize: () => ROW_PX,
    overscan: 12,
  })
  const shown = virtual.getVirtualItems()
  const drawn = many ? shown.map(({ index }) => index) : lines.map((_, index) => index)
  const room = {
    '--groups': groups.length,
    '--above': `${many ? (shown[0]?.start ?? 0) : 0}px`,
    '--below': `${many ? virtual.getTotalSize() - (shown.at(-1)?.end ?? 0) : 0}px`,
  } as CSSProperties
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by the keyboard
    <section ref={box} className={css.MatrixTable} style={room} aria-label={label} tabIndex={0}>
      <Table className={css.MatrixTableTable} aria-rowcount={lines.length + 1}>
        <thead>
          <tr aria-rowindex={1}>
            <th scope="col">{noun}</th>
            {groups.map((group) => (
              <th key={group.id} scope="col">
                <GroupLink id={group.id} className={css.MatrixTableGroup} title={group.name}>
                  {group.name}
                </GroupLink>
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {drawn.map((index) => {
            const line = lines[index]
            if (!line) return null
            return (
              <tr key={line.id} aria-rowindex={index + 2}>
                <th scope="row">{props.head(line)}</th>
                {groups.map((group) => (
                  <td key={group.id}>
                    <CellLink group_id={group.id} cell={line.cells.get(group.id)} />
                  </td>
                ))}
              </tr>
            )
          })}
        </tbody>
      </Table>
    </section>
  )
}

/** The whole cell leads to its group. By keyboard the head of the column does: thousands of stops would be none. */
function CellLink({ group_id, cell }: { group_id: string; cell: Cell | undefined }) {
  return (
    <GroupLink
      id={group_id}
      className={css.MatrixTableCell}
      quiet
      title={cell ? cellTitle(cell) : '不在這個群組'}
    >
      {cell ? <CellWords {...cell} /> : <span className={css.MatrixTableNone}>—</span>}
    </GroupLink>
  )
}

type GroupLinkProps = {
  id: string
  className: string | undefined
  title: string
  quiet?: boolean
  children: ReactNode
}

function GroupLink({ id, className, title, quiet, children }: GroupLinkProps) {
  const { go, search } = usePlace()
  return (
    <a
      className={cx(className)}
      href={`/organizations/manage?tab=groups&id=${id}`}
      onClick={opens(() => go({ ...search, tab: 'groups', id }))}
      title={title}
      tabIndex={quiet ? -1 : undefined}
    >
      {children}
    </a>
  )
}

/* One card for every line, for phones: who or what, and the groups with their days; only those in sight are drawn of many. */

/** A head, and a row of it, as long as they have not been measured. */
const [CARD_HEAD_PX, CARD_ROW_PX] = [68, 44]

export type MatrixCardsProps<L> = {
  label: string
  groups: GroupMatrix['groups']
  lines: readonly L[]
  head: (line: L) => ReactNode
}

export function MatrixCards<L extends MatrixLine<unknown>>({
  label,
  groups,
  lines,
  head,
}: MatrixCardsProps<L>) {
  const box = useRef<HTMLUListElement>(null)
  const [top, setTop] = useState(0)
  const many = lines.length > MANY
  useLayoutEffect(() => {
    const node = box.current
    if (!node || !many) return
    const measure = () => setTop(Math.round(node.getBoundingClientRect().top + scrollY))
    measure()
    const observer = new ResizeObserver(measure)
    observer.observe(document.body)
    return () => observer.disconnect()
  }, [many])
  const virtual = useWindowVirtualizer({
    count: lines.length,
    enabled: many,
    estimateSize: (index) => CARD_HEAD_PX + (lines[index]?.cells.size ?? 0) * CARD_ROW_PX,
    getItemKey: (index) => lines[index]?.id ?? index,
    scrollMargin: top,
    overscan: 8,
  })
  if (!many)
    return (
      <ul className="card flush" aria-label={label}>
        {lines.map((line) => (
          <li key={line.id} className={css.MatrixCardsLine}>
            {head(line)}
            <Days groups={groups} line={line} />
          </li>
        ))}
      </ul>
    )
  return (
    <div className="card flush">
      <ul
        ref={box}
        className={css.MatrixCardsLong}
        style={{ height: virtual.getTotalSize() }}
        aria-label={label}
      >
        {virtual.getVirtualItems().map(({ index, key, start }) => {
          const line = lines[index]
          if (!line) return null
          return (
            <li
              key={key}
              ref={virtual.measureElement}
              data-index={index}
              className={css.MatrixCardsLine}
              style={{ transform: `translateY(${start - top}px)` }}
              aria-setsize={lines.length}
              aria-posinset={index + 1}
            >
              {head(line)}
              <Days groups={groups} line={line} />
            </li>
          )
        })}
      </ul>
    </div>
  )
}

/** In the order of the groups. */
function Days({ groups, line }: { groups: GroupMatrix['groups']; line: MatrixLine<unknown> }) {
  const { go, search } = usePlace()
  if (line.cells.size === 0) return null
  return (
    <ul className={css.MatrixCardsDays}>
      {groups.map(({ id, name }) => {
        const cell = line.cells.get(id)
        if (!cell) return null
        const place = { ...search, tab: 'groups', id }
        return (
          <li key={id}>
            <a
              href={`/organizations/manage?tab=groups&id=${id}`}
              onClick={opens(() => go(place))}
              title={cellTitle(cell)}
            >
              <span className="el sp">{name}</span>
              <CellWords {...cell} />
            </a>
          </li>
        )
      })}
    </ul>
  )
}

/* Who or what a line is about: the first cell of a row, the head of a card. */

/** Groups in which it is or will be. */
const standing = ({ cells }: MatrixLine<unknown>) =>
  [...cells.values()].filter(({ state }) => state !== 'ended')

/** Who is in no group, or what no group gives: this table is opened to find it. */
function Unseen({ line, none }: { line: MatrixLine<unknown>; none: string }) {
  return (
    <span className={css.HeadsUnseen}>
      <Icon name="eye-off" size={14} />
      <span className="el">{line.cells.size === 0 ? none : '在群組的期間都已到期'}</span>
    </span>
  )
}

/** An admin needs no group. */
function memberNote(line: MemberLine): ReactNode {
  const { role, status, starts_on, expires_on } = line.of
  if (status === 'expired') return '成員資格已到期'
  if (status === 'upcoming') return `成員資格 ${ymd(starts_on)} 起`
  if (role === 'admin') return `${ROLE_NAMES.admin}，看得到全部策略`
  const groups = standing(line).length
  if (groups === 0) return <Unseen line={line} none="沒有群組，看不到策略" />
  return expires_on === null ? `${number(groups)} 個群組` : `成員資格到 ${ymd(expires_on)}`
}

export function MemberHead({ line, size }: { line: MemberLine; size: number }) {
  const { name, avatar, status } = line.of
  return <Person name={name} avatar={avatar} size={size} note={memberNote(line)} dim={status === 'expired'} />
}

export function StrategyHead({ line }: { line: StrategyLine }) {
  const { name, kind, status } = line.of
  const state = STATUS_TEXT[status as keyof typeof STATUS_TEXT] ?? status
  return (
    <TwoLines>
      <b className="el" title={name}>
        {name}
      </b>
      <small className="el">
        {standing(line).length === 0 ? (
          <Unseen line={line} none="沒有群組，成員看不到" />
        ) : (
          `${KINDS[kind].name} · ${state}`
        )}
      </small>
    </TwoLines>
  )
}

/* The days of a cell, short, with the sign of where they stand. */

export function CellWords({ state, period }: Cell) {
  const text = shortPeriod(state, period)
  if (state === 'active') return <span className={cx(css.CellWords, 'num')}>{text}</span>
  if (state === 'ended')
    return (
      <span className={cx(css.CellWords, css.CellWordsOver, 'num')}>
        <Icon name="close" size={14} />
        {text}
      </span>
    )
  const { text: word } = periodStateWords(state, period)
  return (
    <Tag tone={state === 'expiring' ? 'warn' : 'neutral'} icon="clock" words="num">
      {text}
      {/* the colour says it to others */}
      {state === 'expiring' && <span className="vh">，{word}</span>}
    </Tag>
  )
}

/** The whole of it: both days, and the word of the state. */
export function cellTitle({ state, period }: Cell): string {
  return `${periodText(period)}，${periodStateWords(state, period).text}`
}
