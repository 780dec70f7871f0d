/* The head of a strategy: name, state, where it stands now, and what can be done with it. */

import { lazy, Suspense, useState } from 'react'
import { ringingOf } from '#contract/channels.ts'
import { type Strategy, updateStrategyNotify } from '#contract/strategy.ts'
import { getData } from '#data/current.ts'
import { useGo } from '#screen/go.ts'
import { manualHref, useManual } from '#screen/keys.ts'
import { useWaiting } from '#screen/outbox.ts'
import { usePrivacy } from '#screen/privacy.ts'
import { MASK, number } from '#text/format.ts'
import { RINGING_WORDS } from '#text/notification.ts'
import { STATUS_TEXT, strategyLine } from '#text/strategy.ts'
import { KINDS } from '#trading/kinds.ts'
import { Button } from '#ui/Button.tsx'
import { IconButton } from '#ui/IconButton.tsx'
import { Menu, type MenuItem } from '#ui/Menu.tsx'
import { Sheet } from '#ui/Modal.tsx'
import { cx } from '#ui/open.ts'
import { PageHead, type PageHeadProps } from '#ui/PageHead.tsx'
import { Tag } from '#ui/Tag.tsx'
import { takesManual } from '../manual/takes.ts'
import css from '../StrategyDetailPage.module.css'
import { useMenu } from '../use-menu.ts'
import type { AskedProps } from './Asked.tsx'
import { Standing } from './Standing.tsx'

const LOOKS = {
  active: { tone: 'good', icon: 'check' },
  paused: { tone: 'neutral', icon: 'pause' },
  archived: { tone: 'neutral', icon: 'archive' },
} as const

/** `at` the tab that is open: 總覽 says itself where it stands, and its curve begins high on a phone. */
export type HeaderProps = { strategy: Strategy; back: NonNullable<PageHeadProps['back']>; at: string }

export function Header({ strategy, back, at }: HeaderProps) {
  const { go } = useGo()
  const manual = useManual()
  const { on: masked } = usePrivacy()
  const [kind, line] = [KINDS[strategy.kind].name, strategyLine(strategy)]
  // a default that nobody has said is nobody's capital
  const capital = strategy.assumed?.includes('initial_capital')
    ? '還沒填'
    : masked
      ? MASK
      : `${number(strategy.initial_capital)} 元`
  return (
    <>
      <PageHead
        slim
        title={strategy.name}
        back={back}
        tags={
          <Tag className="desk" {...LOOKS[strategy.status]}>
            {STATUS_TEXT[strategy.status]}
          </Tag>
        }
        meta={
          <span className="num">
            {strategy.status !== 'active' && <span className="mob">{STATUS_TEXT[strategy.status]} · </span>}
            {!line.endsWith(kind) && <span className={css.HeaderDeskIn}>{kind} · </span>}
            {line}
            <span className={css.HeaderDeskIn}> · 初始資金 {capital}</span>
          </span>
        }
      >
        <div className={css.HeaderBeside}>
          <Standing at="beside" strategy={strategy} masked={masked} />
        </div>
        {takesManual(strategy) && (
          <>
            <Button icon="send" className={css.HeaderNamed} {...manual.to(manualHref(strategy.id))}>
              手動訊號
            </Button>
            <IconButton
              icon="send"
              label="手動訊號"
              className={css.HeaderIconic}
              {...manual.to(manualHref(strategy.id))}
            />
          </>
        )}
        {!getData().viewed && <NotifyKey strategy={strategy} />}
        {/* on phones it stands behind 更多: the name needs the room */}
        {strategy.can.includes('edit') && (
          <IconButton
            icon="edit"
            label="編輯策略"
            className="desk"
            {...go(`/strategies/${strategy.id}/edit`)}
          />
        )}
        {strategy.can.length > 0 && <MoreMenu strategy={strategy} />}
      </PageHead>
      {strategy.summary_text && (
        <p className={cx(css.HeaderSummary, at === 'overview' && 'desk')} title={strategy.summary_text}>
          {strategy.summary_text}
        </p>
      )}
      {at !== 'overview' && (
        <div className={css.HeaderNow}>
          <Standing at="below" strategy={strategy} masked={masked} />
        </div>
      )}
    </>
  )
}

/* 更多: pause and resume at once, copy, archive and delete after a question. */

const Asked = lazy(() => import('./Asked.tsx').then(({ Asked }) => ({ default: Asked })))

export function MoreMenu({ strategy }: { strategy: Strategy }) {
  const [asking, setAsking] = useState<AskedProps['asking'] | null>(null)
  const { notify, edit, turn, copy } = useMenu(strategy, () => setAsking('copy'))
  const { id, status, can } = strategy
  const archive: MenuItem = { label: '封存…', icon: 'archive', onPick: () => setAsking('archive') }
  const onDelete = () => setAsking('delete')
  const remove: MenuItem = { label: '刪除…', icon: 'trash', danger: true, apart: true, onPick: onDelete }
  const items = [
    ...[notify, edit, turn, copy],
    can.includes('edit') && status !== 'archived' ? archive : null,
    can.includes('delete') ? remove : null,
  ]
  const menu = `more-${id}`
  return (
    <>
      <IconButton icon="more" label="更多" opensId={menu} />
      <Menu id={menu} label="更多" items={items.filter((item) => item !== null)} />
      {asking && (
        <Suspense fallback={null}>
          <Asked asking={asking} strategy={strategy} onAsk={setAsking} />
        </Suspense>
      )}
    </>
  )
}

/* The bell: whether I am told of this strategy's signals; a press opens the choice, on the spot, for owners and members alike. */

const StrategyNotify = lazy(() =>
  import('#screen/StrategyNotify.tsx').then((it) => ({ default: it.StrategyNotify })),
)

/** `strategy` has the waiting calls laid over it. */
export function NotifyKey({ strategy }: { strategy: Strategy }) {
  const { id, name, my_notify } = strategy
  const { go } = useGo()
  const waiting = useWaiting([updateStrategyNotify.name], id)
  const [open, setOpen] = useState(false)
  const stands = ringingOf(my_notify)
  return (
    <>
      <IconButton
        icon={stands === 'off' ? 'bell-off' : stands === 'quiet' ? 'bell-quiet' : 'bell'}
        label={`通知設定，現在${RINGING_WORDS[stands]}${waiting ? '，待送出' : ''}`}
        onClick={() => setOpen(true)}
      />
      <Sheet
        open={open}
        onClose={() => setOpen(false)}
        title="這個策略的通知"
        subtitle={name}
        foot={
          <>
            <Button {...go(`/signal-notification?tab=why&id=${id}`)}>為什麼沒收到</Button>
            <Button {...go('/signal-notification?tab=setting')}>全部通知設定</Button>
          </>
        }
      >
        {open && (
          <Suspense fallback={null}>
            <StrategyNotify strategy={strategy} />
          </Suspense>
        )}
      </Sheet>
    </>
  )
}
