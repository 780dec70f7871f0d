// 安裝凌波: offered once signals have been there, on a later visit; on iPhones the two steps of the share menu.

import { useSnapshot } from 'valtio'
import { useRecords } from '#screen/data.tsx'
import { install, update } from '#state/install.ts'
import { Button } from '#ui/Button.tsx'
import { askInstall, notNow } from './install.ts'
import css from './Shell.module.css'

export function InstallPrompt() {
  const { offer } = useSnapshot(install)
  const { waiting } = useSnapshot(update)
  const useful = useRecords().items.length > 0
  // one card at a time, and the new version is the more important one
  if (offer === null || !useful || waiting) return null
  const ios = offer === 'ios'
  return (
    <aside className={css.UpdatePrompt} role="status">
      <b>把凌波放到主畫面</b>
      <p>
        {ios
          ? '在 Safari 點分享鈕（看不到就先點「⋯」），再選「加入主畫面」。之後一點就開，鎖著螢幕也能收推播。'
          : '像一般應用程式一樣打開，沒有網路也能看紀錄。'}
      </p>
      <div className="row gap8">
        <Button size="s" kind="ghost" onClick={notNow}>
          {ios ? '知道了' : '先不要'}
        </Button>
        {!ios && (
          <Button size="s" kind="tint" onClick={() => void askInstall()}>
            安裝
          </Button>
        )}
      </div>
    </aside>
  )
}
