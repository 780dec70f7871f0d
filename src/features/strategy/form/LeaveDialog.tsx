/* The question of the strategy's forms: a new one is kept on the device, changes of an existing one are not. */
import { LeaveForm } from '#screen/LeaveForm.tsx'

/** `armed` while there is something to lose. `keeps` the text stays on the device (a new strategy): leaving loses nothing, and `onDrop` offers to throw it away. */
export type LeaveDialogProps = { armed: () => boolean; keeps: boolean; onDrop: () => void }

export function LeaveDialog({ keeps, ...form }: LeaveDialogProps) {
  return keeps ? (
    <LeaveForm {...form} keeps title="先離開這份表單？" verb="捨棄內容">
      填好的內容存在這支裝置，下次打開新增策略會還在。
    </LeaveForm>
  ) : (
    <LeaveForm {...form} title="放棄還沒儲存的修改？" verb="放棄修改">
      這一頁的修改還沒存到伺服器，離開後就沒有了。
    </LeaveForm>
  )
}
