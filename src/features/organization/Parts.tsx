/* The page around what is about organizations. */

import { type UseQueryResult, useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import type { Span } from '#contract/access.ts'
import { connectedBy } from '#contract/channels.ts'
import type { Member } from '#contract/membership.ts'
import { channelQueries } from '#data/nouns/notification-setting.ts'
import { Stale } from '#screen/Connection.tsx'
import { failureSentence } from '#screen/failure.ts'
import { usePrivacy } from '#screen/privacy.ts'
import { masked } from '#screen/profile.ts'
import { Button } from '#ui/Button.tsx'
import { FailState } from '#ui/EmptyState.tsx'
import { Icon } from '#ui/Icon.tsx'
import { cx, opens } from '#ui/open.ts'
import { Bone, Wait } from '#ui/Skeleton.tsx'
import { Avatar, Tag } from '#ui/Tag.tsx'
import css from './Parts.module.css'
import { elapsed, type periodStateWords, today } from './words.ts'

/** `narrow` for a form alone. */
export function OrganizationPage({ children, narrow = false }: { children: ReactNode; narrow?: boolean }) {
  return <div className={cx('page', narrow && css.OrganizationPageNarrow)}>{children}</div>
}

/* Grey rows of the height that people and strategies have here. */

const WIDTHS = [168, 196, 148]

/** `card` draws the surface around them; `count` how many, three at most. */
export function Rows({ card = true, count = WIDTHS.length }: { card?: boolean; count?: number }) {
  return (
    <div role="status" aria-label="載入中">
      <div className={card ? 'card flush' : undefined}>
        {WIDTHS.slice(0, count).map((width) => (
          <ListRow as="div" key={width}>
            <Bone className={css.RowsRound} />
            <Bone w={width} h={14} />
          </ListRow>
        ))}
      </div>
      {card && <Wait afloat />}
    </div>
  )
}

/* What stands under the rows of a card: the pages, when there are several. */

export function RowsFoot({ children }: { children: ReactNode }) {
  return <div className={css.RowsFoot}>{children}</div>
}

/* What of a row leads somewhere: its words, what stands beside them, and the sign that it leads on. */

export type RowLinkProps = { href: string; onOpen: () => void; children: ReactNode }

export function RowLink({ href, onOpen, children }: RowLinkProps) {
  return (
    <a className={cx(css.RowLink, 'sp')} href={href} onClick={opens(onOpen)}>
      {children}
      <Icon name="chevron-right" size={18} className="ink3" />
    </a>
  )
}

/* The buttons that end a row. */

export function RowActions({ children }: { children: ReactNode }) {
  return <span className={css.RowActions}>{children}</span>
}

/* The buttons under a card, at its foot; on a phone as wide as the card. */

export function CardActions({ children }: { children: ReactNode }) {
  return <div className={css.CardActions}>{children}</div>
}

/* A row of a list of people, groups, strategies or invitations. */

/** `wraps`: on a phone its first part takes the whole width, the others stand under it. */
export type ListRowProps = { children: ReactNode; as?: 'li' | 'div'; wraps?: boolean }

export function ListRow({ children, as: Root = 'li', wraps = false }: ListRowProps) {
  return <Root className={cx(css.ListRow, wraps && css.ListRowWraps)}>{children}</Root>
}

/* A list that is asked for: skeleton, failure with 重試, the age when only the copy is there, or the list. */

/** `title` says what could not be read. */
export type ListStateProps<T> = {
  query: Pick<UseQueryResult<T>, 'data' | 'error' | 'isFetching' | 'dataUpdatedAt'> & {
    refetch: () => Promise<unknown>
  }
  title: string
  children: (data: T) => ReactNode
  card?: boolean
  /** Stands there from the start when it is known that the list will be empty: nothing moves when it comes. */
  none?: ReactNode
  /** Leads to the first page, where a later one is asked for: it may be at hand when this one is not. */
  onFirst?: (() => void) | undefined
}

export function ListState<T>({ query, title, children, card = true, none, onFirst }: ListStateProps<T>) {
  const { data, error, isFetching, refetch, dataUpdatedAt } = query
  if (data !== undefined)
    return (
      <>
        {error && <Stale at={dataUpdatedAt} />}
        {children(data)}
      </>
    )
  if (!error) return none || <Rows card={card} />
  return (
    <FailState
      card={card}
      title={title}
      busy={isFetching}
      onRetry={() => void refetch()}
      action={
        onFirst && (
          <Button size="s" kind="ghost" onClick={onFirst}>
            回第 1 頁
          </Button>
        )
      }
    >
      {failureSentence(error)}
    </FailState>
  )
}

/* What an organization says of itself, in its own lines. */

export function Introduction({ text }: { text: string }) {
  return <p className={css.Introduction}>{text}</p>
}

/* A person in a row: face, name, a second line under it. */

/** `note` the second line, already covered where it names somebody. `dim` for those whose time is over. `onOpen` makes it a button. */
export type PersonProps = {
  name: string
  avatar: string | null
  note?: ReactNode
  dim?: boolean
  size?: number
  onOpen?: () => void
}

export function Person({ name, avatar, note, dim = false, size = 36, onOpen }: PersonProps) {
  const { cover, face } = usePeople()
  const shown = cover(name)
  const look = cx(css.Person, dim && css.PersonDim, onOpen && css.PersonButton)
  const inside = (
    <>
      <Avatar name={shown} src={face(avatar)} size={size} dim={dim} />
      <TwoLines>
        <b className="el" title={shown}>
          {shown}
        </b>
        {note && <small className="el">{note}</small>}
      </TwoLines>
    </>
  )
  return onOpen ? (
    <button type="button" className={look} onClick={onOpen}>
      {inside}
    </button>
  ) : (
    <span className={look}>{inside}</span>
  )
}

/* A name and a second line under it; a link where it leads somewhere. */

/** `children` a `b` and a `small`; `className` for its place in the row. */
export type TwoLinesProps = {
  children: ReactNode
  className?: string | undefined
  link?: { href: string; onOpen: () => void }
}

export function TwoLines({ children, className, link }: TwoLinesProps) {
  const classes = cx(css.TwoLines, className)
  if (!link) return <span className={classes}>{children}</span>
  return (
    <a className={classes} href={link.href} onClick={opens(link.onOpen)}>
      {children}
    </a>
  )
}

/* A period as a stroke: what is over is ink, the end a hollow point; filled once it is over. */

/** Nothing but a word when the period has no end. `wide` fills the line it stands in. */
export function PeriodLine({ period, wide = false }: { period: Span; wide?: boolean }) {
  const done = elapsed(period, today())
  if (done === null) return <span className="t13 ink3">無期限</span>
  const label = `期間已過 ${Math.round(done * 100)}%`
  return (
    <span
      className={wide ? cx(css.PeriodLine, css.PeriodLineWide) : css.PeriodLine}
      role="img"
      aria-label={label}
      title={label}
    >
      <i style={{ width: `${done * 100}%` }} />
      <b className={done === 1 ? css.PeriodLineOver : undefined} />
    </span>
  )
}

/* A period as a stroke, its days in words, and how it stands. */

export type PeriodStateProps = {
  period: Span
  state: ReturnType<typeof periodStateWords>
  children: ReactNode
}

export function PeriodState({ period, state, children }: PeriodStateProps) {
  return (
    <div className={css.PeriodState}>
      <PeriodLine period={period} wide />
      <span className="row gap8">
        {children}
        <Tag tone={state.tone} icon={state.icon}>
          {state.text}
        </Tag>
      </span>
    </div>
  )
}

/* An organization, or an invitation to one, as a card. */

/** `label` for who hears it; `invites`: it asks for an answer. */
export type OrganizationCardProps = {
  children: ReactNode
  as?: 'section' | 'li' | 'div'
  label?: string
  role?: 'status'
  invites?: boolean
}

export function OrganizationCard({ as: Root = 'section', label, invites, ...rest }: OrganizationCardProps) {
  return (
    <Root
      className={cx(css.OrganizationCard, invites && css.OrganizationCardInvites, 'card')}
      aria-label={label}
      {...rest}
    />
  )
}

/* The head of an organization's card: its sign and name, what it is to me, and what ends the line. */

/** `name` already covered where it must be; `children` the lines under it; `end` the button that ends the line. */
export type OrganizationHeadProps = {
  name: string
  logo: string | null
  children: ReactNode
  end?: ReactNode
  dim?: boolean
  large?: boolean
}

export function OrganizationHead({
  name,
  logo,
  children,
  end,
  dim = false,
  large = false,
}: OrganizationHeadProps) {
  const { face } = usePeople()
  return (
    <div className={css.OrganizationHead}>
      <Avatar name={name} src={face(logo)} size={large ? 56 : 44} dim={dim} />
      <div className="sp">
        <h2 className={large ? css.OrganizationHeadLarge : undefined}>{name}</h2>
        {children}
      </div>
      {end}
    </div>
  )
}

/* The bar over a list: what is searched, what it is narrowed to, and the button that adds one. */

/** `chips` scroll as one line on phones: the chips among them are `inline="phone"`. */
export type BarProps = { search?: ReactNode; chips?: ReactNode; action?: ReactNode }

export function Bar({ search, chips, action }: BarProps) {
  return (
    <div className={css.Bar}>
      {search && <div className={css.BarSearch}>{search}</div>}
      {chips ? <div className={css.BarChips}>{chips}</div> : <span className={css.BarRoom} />}
      {action && <div className={css.BarAction}>{action}</div>}
    </div>
  )
}

/* Fields under each other. */

/** `legend`: they answer one question together. `close`: they are parts of one field. */
export type FieldsProps = { children: ReactNode; legend?: string; close?: boolean }

export function Fields({ children, legend, close = false }: FieldsProps) {
  const classes = cx(css.Fields, close && css.FieldsClose)
  if (!legend) return <div className={classes}>{children}</div>
  return (
    <fieldset className={classes}>
      <legend className="t13 ink2 w6">{legend}</legend>
      {children}
    </fieldset>
  )
}

/* What a part of the rows is: over the rows of a card, or of a table. */

/** `columns`: it stands over so many of a table. */
export type SectionTitleProps = { children: ReactNode; as?: 'h2' | 'h3'; columns?: number }

export function SectionTitle({ children, as: Root = 'h2', columns }: SectionTitleProps) {
  if (columns === undefined) return <Root className={css.SectionTitle}>{children}</Root>
  return (
    <th className={css.SectionTitle} colSpan={columns} scope="rowgroup">
      {children}
    </th>
  )
}

/* The groups of a member: two by name, the rest as a number; admins see everything without any. */

export function GroupTags({ member }: { member: Pick<Member, 'role' | 'groups'> }) {
  const { role, groups } = member
  if (role === 'admin') return <span className="t13 ink3">全部策略</span>
  if (groups.length === 0) return <span className="t13 ink3">沒有群組</span>
  return (
    <span className={css.GroupTags} title={groups.map(({ name }) => name).join('、')}>
      {groups.slice(0, 2).map(({ id, name }) => (
        <Tag key={id}>
          <span className="el">{name}</span>
        </Tag>
      ))}
      {groups.length > 2 && <Tag tone="line">+{groups.length - 2}</Tag>}
    </span>
  )
}

// Whether this server sends no mail: then an admin passes the links on.

/** False until it is known. */
export function useInFolder(): boolean {
  const { data: channels } = useQuery(channelQueries.list())
  return channels?.find(({ channel }) => connectedBy(channel) === 'mailbox')?.state === 'none'
}

export const HAND_OVER = '這裡還不能寄信，請複製連結傳給對方。'

// Names and addresses of people as privacy mode wants them.

/** `cover(text)` gives the text, or asterisks of equal length; `face(src)` no picture then; `on` says which. */
export function usePeople() {
  const { on } = usePrivacy()
  return {
    on,
    cover: (text: string) => (on ? masked(text) : text),
    face: (src: string | null) => (on ? null : src),
  }
}
