// A link that opens nothing any more: used, too old or withdrawn, and what to do instead.
import { RESET_LIFE_S } from '#contract/limits.ts'
import { Button } from '#ui/Button.tsx'
import { Icon } from '#ui/Icon.tsx'
import css from '../LoginFrame.module.css'

/** `text` is the server's sentence. */
export function LinkOver({ text, onAskAgain }: { text: string; onAskAgain: () => void }) {
  return (
    <div className={css.form}>
      <h1 tabIndex={-1}>這個連結不能用了</h1>
      <div className={css.done} role="alert">
        <p className="row gap8">
          <Icon name="warning" size={18} />
          <span>{text}</span>
        </p>
        <p className="t13 ink3">
          重設連結只能用一次，{RESET_LIFE_S / 60} 分鐘內有效；重新寄一封就好，密碼沒有改變。
        </p>
      </div>
      <Button kind="filled" size="l" wide onClick={onAskAgain}>
        重新寄一封
      </Button>
    </div>
  )
}
