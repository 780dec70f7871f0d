/* The webhook's address: to copy, with what it means that somebody knows it. */
import { Card } from '#ui/Card.tsx'
import { CopyButton } from '#ui/CopyButton.tsx'
import { Icon } from '#ui/Icon.tsx'
import { unreachable } from './message.ts'

/** `main` makes copying the view's one filled button. */
export function UrlCard({ url, main }: { url: string; main: boolean }) {
  const warning = unreachable(url)
  return (
    <Card title="1　Webhook 網址" pad>
      <div className="cn-url">
        <span className="mono sp">{url}</span>
        <CopyButton size="s" kind={main ? 'filled' : 'outline'} text={url}>
          複製網址
        </CopyButton>
      </div>
      <p className="hint">
        貼到 TradingView 快訊的「通知」分頁，勾選 Webhook URL。知道這個網址的人就能送訊號，請當密碼保管。
      </p>
      {warning && (
        <p className="hint cn-warn">
          <Icon name="warning" size={16} />
          <span>{warning}</span>
        </p>
      )}
    </Card>
  )
}
