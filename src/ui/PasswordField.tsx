/* A password with a key that shows or hides it. */
import { useState } from 'react'
import { IconButton } from './IconButton.tsx'
import { TextField, type TextFieldProps } from './TextField.tsx'

/** As {@link TextFieldProps} without what does not fit a secret. `autoComplete` current-password or new-password. */
export type PasswordFieldProps = Omit<
  TextFieldProps,
  'type' | 'rows' | 'counter' | 'trailing' | 'leading' | 'mono'
> & {
  autoComplete: 'current-password' | 'new-password'
}

export function PasswordField(props: PasswordFieldProps) {
  const [shown, setShown] = useState(false)
  return (
    <TextField
      {...props}
      type={shown ? 'text' : 'password'}
      trailing={
        <IconButton
          icon={shown ? 'eye-off' : 'eye'}
          label={shown ? '隱藏密碼' : '顯示密碼'}
          pressed={shown}
          onClick={() => setShown(!shown)}
          inField
        />
      }
    />
  )
}
