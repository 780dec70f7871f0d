// A sheet that holds unsent input asks before it is closed: by ×, 取消, Esc, the finger, the back gesture, or by going back.
import { type ReactNode, useRef, useState } from 'react'
import { Button } from '#ui/Button.tsx'
import { Dialog } from '#ui/Modal.tsx'
import { useDirtyForm } from './dirty.ts'
import { LeaveForm } from './LeaveForm.tsx'

const TITLE = '放棄還沒送出的內容？'
const VERB = '放棄內容'
const WORDS = '這裡填的內容還沒送到伺服器，關閉後就沒有了。'

/** `leave` is asked to close; `question` stands in the sheet. What was sent closes by `onClose` itself. */
export function useLeaveSheet(
  holds: boolean,
  onClose: () => void,
): { leave: () => void; question: ReactNode } {
  const [asking, setAsking] = useState(false)
  const armed = useRef(false)
  armed.current = holds
  useDirtyForm(holds)
  const stay = () => setAsking(false)
  return {
    leave: () => (holds ? setAsking(true) : onClose()),
    question: (
      <>
        <LeaveForm armed={() => armed.current} tabs title={TITLE} verb={VERB}>
          {WORDS}
        </LeaveForm>
        <Dialog
          open={asking}
          onClose={stay}
          title={TITLE}
          icon="warning"
          actions={
            <>
              <Button firstFocus onClick={stay}>
                繼續填寫
              </Button>
              <Button kind="danger" icon="trash" onClick={onClose}>
                {VERB}
              </Button>
            </>
          }
        >
          {WORDS}
        </Dialog>
      </>
    ),
  }
}
