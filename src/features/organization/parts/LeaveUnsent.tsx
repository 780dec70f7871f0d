/* The question of forms about organizations: what was typed has not been sent. */
import { LeaveForm } from '#screen/LeaveForm.tsx'

/** `armed` while there is something to lose; `tabs` asks also when only ?tab= changes. */
export function LeaveUnsent({ armed, tabs = false }: { armed: () => boolean; tabs?: boolean }) {
  return (
    <LeaveForm armed={armed} tabs={tabs} title="放棄還沒送出的內容？" verb="放棄內容">
      這一頁填的內容還沒送到伺服器，離開後就沒有了。
    </LeaveForm>
  )
}
