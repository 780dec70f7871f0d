/* The webhook's address: to copy, with what it means that somebody knows it. */

import type { StrategyKind } from '#trading/record.ts'
import { Card } from '#ui/Card.tsx'
import { CopyButton } from '#ui/CopyButton.tsx'
import { Hint } from '#ui/Hint.tsx'
import { Icon } from '#ui/Icon.tsx'
import { cx } from '#ui/open.ts'
import { unreachable } from './message.ts'
import { SENDERS } from './senders.ts'
import css from './UrlCard.module.css'

/** `main` makes copying the view's one filled button. */
export type UrlCardProps = { url: string; kind: StrategyKind; main: boolean }

export function UrlCard({ url, kind, main }: UrlCardProps) {
  const { address, offered } = SENDERS[kind]
  // a bridge runs at home, where every address can be reached
  const warning = offered[0] === 'xq_print' ? null : unreachable(url)
  return (
    <Card title="1　Webhook 網址" pad>
      <div className={css.url}>
        <span className={cx(css.address, 'mono sp')}>{url}</span>
        <CopyButton size="s" kind={main ? 'filled' : 'outline'} text={url}>
          複製網址
        </CopyButton>
      </div>
      <Hint>{address}知道這個網址的人就能送訊號，請當密碼保管。</Hint>
      {warning && (
        <Hint className={cx(css.warn)}>
          <Icon name="warning" size={16} className={css.icon} />
          <span>{warning}</span>
        </Hint>
      )}
    </Card>
  )
}
