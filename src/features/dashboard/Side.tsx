/* What stands beside the feed on a desk, and above it on phones: 待辦, 公告, the organization; the strategies beside it only. */

import { memo, useState } from 'react'
import type { AnnouncementHead } from '#contract/announcement.ts'
import type { Dashboard } from '#contract/dashboard.ts'
import type { Strategy } from '#contract/strategy.ts'
import { getData } from '#data/current.ts'
import { readWithPending } from '#data/nouns/board.ts'
import { AllCurve } from '#screen/AllCurve.tsx'
import { useGo } from '#screen/go.ts'
import { useOutbox } from '#screen/outbox.ts'
import { usePrivacy } from '#screen/privacy.ts'
import { masked as maskedName } from '#screen/profile.ts'
import { number, signedPercent } from '#text/format.ts'
import { heldText } from '#text/signal.ts'
import { STATUS_TEXT, tradedText } from '#text/strategy.ts'
import { ago } from '#text/time.ts'
import { assetOf } from '#trading/kinds.ts'
import { Card, CardRows } from '#ui/Card.tsx'
import { KeyValues, MiniCurve } from '#ui/Figures.tsx'
import { Icon, type IconName } from '#ui/Icon.tsx'
import { Sheet } from '#ui/Modal.tsx'
import { Delta } from '#ui/nouns/Delta.tsx'
import { cx, opens } from '#ui/open.ts'
import { UnreadDot } from '#ui/Tag.tsx'
import css from './DashboardPage.module.css'
import type { TodoLine } from './todo.ts'

/** One line of a phone: a link with `href`, else it opens something here; `more` how many beside it. */
function Line({
  icon,
  tone = 'ink3',
  more,
  href,
  onOpen,
  children,
}: {
  icon: IconName
  tone?: string
  more?: string | false
  href?: string
  onOpen: () => void
  children: string
}) {
  const inside = (
    <>
      <Icon name={icon} className={tone} />
      <span className="sp el">{children}</span>
      {more && <span className="t13 ink3 nowrap num">{more}</span>}
      <Icon name="chevron-right" size={16} className="ink3" />
    </>
  )
  return href === undefined ? (
    <button type="button" className={cx('card', css.line)} onClick={onOpen}>
      {inside}
    </button>
  ) : (
    <a className={cx('card', css.line)} href={href} onClick={opens(onOpen)}>
      {inside}
    </a>
  )
}

function TodoLines({ lines }: { lines: readonly TodoLine[] }) {
  const { open } = useGo()
  return (
    <CardRows className={css.todos}>
      {lines.map(({ kind, icon, tone, title, note, link }) => (
        <li key={kind}>
          <a className={css.todo} href={link} onClick={opens(() => open(link))}>
            <Icon name={icon} className={tone} />
            <span className="sp">
              <b className="el">{title}</b>
              <small className="el">{note}</small>
            </span>
            <Icon name="chevron-right" size={16} className="ink3" />
          </a>
        </li>
      ))}
    </CardRows>
  )
}

/** 待辦: what waits for the person; on phones one line that opens the rest. */
export function Todos({ lines, phone = false }: { lines: readonly TodoLine[]; phone?: boolean }) {
  const [all, setAll] = useState(false)
  const { open } = useGo()
  const [first, ...rest] = lines
  if (!first) return null
  if (!phone)
    return (
      <Card title="待辦" count={lines.length}>
        <TodoLines lines={lines} />
      </Card>
    )
  return (
    <>
      <Line
        icon={first.icon}
        tone={first.tone}
        more={rest.length > 0 && `另有 ${rest.length} 件待辦`}
        onOpen={() => (rest.length > 0 ? setAll(true) : open(first.link))}
      >
        {first.title}
      </Line>
      <Sheet open={all} onClose={() => setAll(false)} title="待辦">
        <TodoLines lines={lines} />
      </Sheet>
    </>
  )
}

/** 最新公告: three of them, unread ones marked; on phones only what is unread, in one line. `at` when the answer came (ms): what was read since then is read here, too. */
export function Announced({
  heads,
  at,
  now,
  phone = false,
}: {
  heads: readonly AnnouncementHead[]
  at: number
  now: string
  phone?: boolean
}) {
  const { open } = useGo()
  const privacy = usePrivacy()
  const outbox = useOutbox()
  // the platform speaks to the person, not to the member of an organization
  const told = getData().viewed ? heads.filter(({ organization }) => organization) : heads
  const items = readWithPending(told, outbox, at)
  if (items.length === 0) return null
  const hrefOf = ({ id, organization }: AnnouncementHead) =>
    `/my-announcements?id=${id}${organization ? `&of=${organization.id}` : ''}`
  if (phone) {
    const [first, ...rest] = items.filter(({ read_at }) => read_at === null)
    if (!first) return null
    return (
      <Line
        icon="megaphone"
        tone="brand-ink"
        more={rest.length > 0 && `另有 ${rest.length} 則公告`}
        href={hrefOf(first)}
        onOpen={() => open(rest.length > 0 ? '/my-announcements' : hrefOf(first))}
      >
        {first.title}
      </Line>
    )
  }
  return (
    <Card
      title="最新公告"
      action={
        <a className="link t13" href="/my-announcements" onClick={opens(() => open('/my-announcements'))}>
          全部公告
        </a>
      }
    >
      <CardRows links className={css.announced}>
        {items.map((head) => {
          const { id, title, organization, pinned, publish_at, read_at } = head
          const name = organization?.name ?? '平台'
          return (
            <li key={id} className={cx(read_at === null && css.unread)}>
              {read_at === null && <UnreadDot />}
              <a href={hrefOf(head)} onClick={opens(() => open(hrefOf(head)))}>
                <Icon name={pinned ? 'pin' : 'megaphone'} size={20} className="ink3" />
                <span className="sp">
                  <b className="el">
                    {read_at === null && <span className="vh">未讀：</span>}
                    {title}
                  </b>
                  <small className="el num">
                    {organization && privacy.on ? maskedName(name) : name}
                    {publish_at && ` · ${ago(publish_at, now)}`}
                  </small>
                </span>
                <Icon name="chevron-right" size={16} className="ink3" />
              </a>
            </li>
          )
        })}
      </CardRows>
    </Card>
  )
}

const MANAGE = '/organizations/manage'

/** What somebody who manages an organization looks for first: how many are inside, whose time is running out, and whether what came in was told. */
export function OrganizationToday({
  counts,
  phone = false,
}: {
  counts: NonNullable<Dashboard['organization']>
  phone?: boolean
}) {
  const { go, open } = useGo()
  const { members, expiring_7d, delivered_today, failed_today } = counts
  if (phone)
    return (
      <Line
        icon="people"
        tone={failed_today > 0 ? 'warn-ink' : 'ink3'}
        more={`今天送出 ${number(delivered_today)} · 沒送到 ${number(failed_today)}`}
        href={MANAGE}
        onOpen={() => open(MANAGE)}
      >
        {`${number(members)} 位成員`}
      </Line>
    )
  const rows = [
    { label: '成員', value: `${number(members)} 位` },
    {
      key: 'expiring',
      label: '成員資格 7 天內到期',
      value:
        expiring_7d === 0 ? (
          '0 位'
        ) : (
          <a className="link" {...go(`${MANAGE}?tab=members&status=expiring`)}>
            {number(expiring_7d)} 位
          </a>
        ),
    },
    { label: '今天送出的站外通知', value: `${number(delivered_today)} 則` },
    {
      key: 'failed',
      label: '今天沒送到的站外通知',
      value: <span className={failed_today > 0 ? 'warn-ink' : undefined}>{number(failed_today)} 則</span>,
    },
  ]
  return (
    <Card
      title="組織"
      action={
        <a className="link t13" {...go(MANAGE)}>
          組織管理
        </a>
      }
      pad
    >
      <KeyValues rows={rows} />
    </Card>
  )
}

const SHOWN = 6

/** 我的策略: up to six, each with its small curve and what it has made. `money` false shows positions instead, as the page's first card does. */
export const Mine = memo(function Mine({
  strategies,
  masked,
  money,
}: {
  strategies: readonly Strategy[]
  masked: boolean
  money: boolean
}) {
  const { open } = useGo()
  return (
    <Card
      className={css.mine}
      title="我的策略"
      action={
        <a className="link t13" href="/strategies" onClick={opens(() => open('/strategies'))}>
          策略列表
        </a>
      }
    >
      {strategies.length === 0 && <p className={css.flat}>還沒有策略。</p>}
      {money && <AllCurve strategies={strategies} masked={masked} />}
      <CardRows links className={css.strategies}>
        {strategies.slice(0, SHOWN).map((strategy) => {
          const { status } = strategy
          const href = `/strategies/${strategy.id}`
          return (
            <li key={strategy.id} className={cx(status !== 'active' && 'paused')}>
              <a href={href} onClick={opens(() => open(href))} title={strategy.name}>
                <span className="sp">
                  <b className="el">{strategy.name}</b>
                  <small className="el">
                    {tradedText(strategy)}
                    {status !== 'active' && ` · ${STATUS_TEXT[status]}`}
                  </small>
                </span>
                {money ? (
                  <Made strategy={strategy} masked={masked} />
                ) : (
                  <span className="num ink2 nowrap">{heldText(strategy.positions, assetOf(strategy))}</span>
                )}
              </a>
            </li>
          )
        })}
      </CardRows>
    </Card>
  )
})

function Made({ strategy, masked }: { strategy: Strategy; masked: boolean }) {
  const { summary, status, curve } = strategy
  const traded = summary.trade_count > 0
  return (
    <>
      <MiniCurve
        points={curve}
        width={84}
        height={28}
        area={false}
        muted={status !== 'active'}
        label={`${strategy.name}的權益曲線`}
      />
      <span className={cx(css.made, 'r')}>
        <Delta value={traded ? summary.net_profit : null} arrow={false} strong masked={masked} />
        <small className="num">
          {traded && summary.total_return !== null ? signedPercent(summary.total_return) : '還沒有交易'}
        </small>
      </span>
    </>
  )
}
