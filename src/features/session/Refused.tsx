// The line under the fields of a sign-in that says what was refused; it keeps its height when there is nothing to say.
import { Icon } from '#ui/Icon.tsx'

export function Refused({ text }: { text: string }) {
  return (
    <p className="login-refusal" role="alert">
      {text && (
        <>
          <Icon name="warning" size={16} />
          {text}
        </>
      )}
    </p>
  )
}
