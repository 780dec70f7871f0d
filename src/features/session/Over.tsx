// A one-time link that opens nothing any more: why, and the other ways in.
import { useGo } from '#screen/go.ts'
import { Button } from '#ui/Button.tsx'
import { Gate } from '#ui/Gate.tsx'

/** `text` is the server's sentence: used, expired or incomplete. */
export function Over({ text }: { text: string }) {
  const { go } = useGo()
  return (
    <Gate
      title="這個登入連結不能用了"
      actions={
        <Button kind="filled" {...go('/login')}>
          回到登入
        </Button>
      }
    >
      <p>{text}</p>
      <p>登入連結只能用一次，而且很快就會過期，這樣別人撿到也沒有用。</p>
    </Gate>
  )
}
