/* The head of a strategy: name, state, where it stands now, and what can be done with it. */
import type { Strategy } from '#contract/strategy.ts'
import { getData } from '#data/current.ts'
import { useGo } from '#screen/go.ts'
import { manualHref, useManual } from '#screen/keys.ts'
import { usePrivacy } from '#screen/privacy.ts'
import { MASK, number } from '#text/format.ts'
import { STATUS_TEXT, strategyLine } from '#text/strategy.ts'
import { KINDS } from '#trading/kinds.ts'
import { Button } from '#ui/Button.tsx'
import { IconButton } from '#ui/IconButton.tsx'
import { cx } from '#ui/open.ts'
import { PageHead, type PageHeadProps } from '#ui/PageHead.tsx'
import { Tag } from '#ui/Tag.tsx'
import { takesManual } from '../manual/actions.ts'
import css from './Header.module.css'
import { MoreMenu } from './MoreMenu.tsx'
import { NotifyKey } from './NotifyKey.tsx'
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
            {!line.endsWith(kind) && <span className={css.deskIn}>{kind} · </span>}
            {line}
            <span className={css.deskIn}> · 初始資金 {capital}</span>
          </span>
        }
      >
        <div className={css.beside}>
          <Standing at="beside" strategy={strategy} masked={masked} />
        </div>
        {takesManual(strategy) && (
          <>
            <Button icon="send" className={css.named} {...manual.to(manualHref(strategy.id))}>
              手動訊號
            </Button>
            <IconButton
              icon="send"
              label="手動訊號"
              className={css.iconic}
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
        <p className={cx(css.summary, at === 'overview' && 'desk')} title={strategy.summary_text}>
          {strategy.summary_text}
        </p>
      )}
      {at !== 'overview' && (
        <div className={css.now}>
          <Standing at="below" strategy={strategy} masked={masked} />
        </div>
      )}
    </>
  )
}
