/* The head of a strategy: name, state, where it stands now, and what can be done with it. */

import { lazy, Suspense, useState } from 'react'
import { ringingOf } from '#contract/channels.ts'
import { type Strategy, updateStrategyNotify } from '#contract/strategy.ts'
import { getData } from '#data/current.ts'
import { strategyMutations } from '#data/nouns/strategy.ts'
import { Ask } from '#screen/Ask.tsx'
import { useCtx } from '#screen/data.tsx'
import { useGo } from '#screen/go.ts'
import { manualHref, useManual } from '#screen/keys.ts'
import { useWaiting } from '#screen/outbox.ts'
import { usePrivacy } from '#screen/privacy.ts'
import { MASK, number } from '#text/format.ts'
import { RINGING_WORDS } from '#text/notification.ts'
import { STATUS_TEXT, strategyLine } from '#text/strategy.ts'
import { KINDS } from '#trading/kinds.ts'
import { Button } from '#ui/Button.tsx'
import { Checkbox } from '#ui/Checkbox.tsx'
import { IconButton } from '#ui/IconButton.tsx'
import { Menu, type MenuItem } from '#ui/Menu.tsx'
import { Sheet } from '#ui/Modal.tsx'
import { cx } from '#ui/open.ts'
import { PageHead, type PageHeadProps } from '#ui/PageHead.tsx'
import { Tag } from '#ui/Tag.tsx'
import { TextField } from '#ui/TextField.tsx'
import { DuplicateDialog } from '../DuplicateDialog.tsx'
import { takesManual } from '../manual/actions.ts'
import css from '../StrategyDetailPage.module.css'
import { turned, useMenu } from '../use-menu.ts'
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

export function MoreMenu({ strategy }: { strategy: Strategy }) {
  const ctx = useCtx()
  const [asking, setAsking] = useState<'archive' | 'copy' | 'delete' | null>(null)
  const { notify, edit, turn, copy } = useMenu(strategy, () => setAsking('copy'))
  const { id, name, status, can } = strategy
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
      {asking === 'archive' && (
        <Ask
          title={`封存「${name}」`}
          verb="封存"
          icon="archive"
          mild
          mutation={strategyMutations.turn(ctx)}
          input={{ id, name, status: 'archived' }}
          done={(changed) => ({ title: turned(changed) })}
          safe="策略維持原樣，"
          onClose={() => setAsking(null)}
        >
          <p>Webhook 會回覆停用，策略不再列出。紀錄全部保留，隨時可以取消封存。</p>
        </Ask>
      )}
      {asking === 'copy' && <DuplicateDialog strategy={strategy} onClose={() => setAsking(null)} />}
      {asking === 'delete' && (
        <DeleteDialog
          strategy={strategy}
          onClose={() => setAsking(null)}
          onArchive={status === 'archived' ? null : () => setAsking('archive')}
        />
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

/* Deleting a strategy: its name has to be typed, and keeping the records is the default. */

/** `onArchive` offers the gentler way; null when it is archived already. */
export type DeleteDialogProps = {
  strategy: Strategy
  onClose: () => void
  onArchive: (() => void) | null
}

export function DeleteDialog({ strategy, onClose, onArchive }: DeleteDialogProps) {
  const go = useGo()
  const [typed, setTyped] = useState('')
  const [keep, setKeep] = useState(true)
  const { id, name } = strategy
  const count = number(strategy.signal_count)
  return (
    <Ask
      title={`刪除「${name}」`}
      verb="刪除策略"
      mutation={strategyMutations.remove(useCtx())}
      input={{ id, name: typed, keep_records: keep }}
      done={{ title: `已刪除「${name}」` }}
      safe="策略還在，"
      disabled={typed.trim() !== name}
      sticky={typed !== ''}
      aside={
        onArchive && (
          <Button kind="ghost" onClick={onArchive}>
            改用封存
          </Button>
        )
      }
      onClose={onClose}
      onDone={() => go.open('/strategies', true)}
    >
      <p>
        Webhook 與設定會刪除，無法復原。
        {keep ? `${count} 筆訊號的紀錄會保留在伺服器上。` : `${count} 筆訊號也會一起刪除。`}
      </p>
      <Checkbox label="保留訊號紀錄" checked={keep} onChange={setKeep} />
      <TextField
        label="輸入策略名稱以確認"
        value={typed}
        onChange={setTyped}
        placeholder={name}
        autoComplete="off"
      />
    </Ask>
  )
}
