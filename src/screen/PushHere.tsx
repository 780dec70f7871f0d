/* 推播 on this device: on or off, or the steps that its platform needs first. */
import type { PushState } from '#data/nouns/push.ts'
import { PUSH_TEXT } from '#text/notification.ts'
import { Banner } from '#ui/Banner.tsx'
import { Button } from '#ui/Button.tsx'
import css from './PushHere.module.css'
import { usePush } from './push.ts'
import { Refused } from './Refused.tsx'

const INSTALL = [
  '在 Safari 按分享鈕',
  '選「加入主畫面」，再按「加入」',
  '從主畫面打開凌波，登入後回到這裡打開推播',
] as const

/** Where a refusal is taken back, by platform. */
function allowSteps(agent: string): readonly string[] {
  if (/iPhone|iPad|iPod/.test(agent))
    return ['打開 iPhone 的「設定」', '通知 → 凌波', '打開「允許通知」，再回到這裡']
  if (/Android/.test(agent))
    return [
      '按網址列左邊的圖示（已安裝的話：長按凌波圖示 → 應用程式資訊）',
      '權限 → 通知',
      '選「允許」，再回到這裡',
    ]
  return ['按網址列左邊的圖示', '網站設定 → 通知', '改成「允許」，再重新載入這一頁']
}

const Steps = ({ steps }: { steps: readonly string[] }) => (
  <ol className={css.steps}>
    {steps.map((step, at) => (
      <li key={step}>
        <span className="num">{at + 1}</span>
        {step}
      </li>
    ))}
  </ol>
)

const SAYS: Record<PushState, string> = {
  ...PUSH_TEXT,
  unsupported: '這個瀏覽器沒有推播。Chrome、Edge、Firefox 與 Safari 16.4 以上都可以；也可以改用 Telegram。',
  needs_install: 'iPhone 和 iPad 的推播，要先把凌波放到主畫面。',
  denied: '這支裝置不允許凌波通知。瀏覽器不會再問，要到它的設定裡打開：',
  default: '這支裝置還沒有打開推播。按下去，瀏覽器會問一次，請選「允許」。',
  on: '這支裝置會收到推播，鎖著螢幕也看得到。',
  other_key: '伺服器換過推播的金鑰，這支裝置要再打開一次。',
}

export function PushHere() {
  const { state, busy, problem, enable, disable } = usePush()
  const can = ['default', 'off', 'other_key', 'lost'].includes(state)
  return (
    <section className={css.root} aria-label="這支裝置的推播">
      <p>{SAYS[state]}</p>
      {state === 'needs_install' && <Steps steps={INSTALL} />}
      {state === 'denied' && <Steps steps={allowSteps(navigator.userAgent)} />}
      {problem && (
        <Banner tone="warn" icon="warning" urgent>
          {problem}
        </Banner>
      )}
      {can && <Refused text={null} />}
      {can && (
        <Button kind="filled" icon="bell" busy={busy} onClick={() => void enable()}>
          打開推播
        </Button>
      )}
      {state === 'on' && (
        <Button icon="bell-off" busy={busy} onClick={() => void disable()}>
          關掉這支裝置的推播
        </Button>
      )}
    </section>
  )
}
