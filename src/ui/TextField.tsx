/* One-line or multi-line text. */

import { type HTMLInputTypeAttribute, type ReactNode, useId, useState } from 'react'
import { STRENGTH_WORDS, strength } from '#text/password.ts'
import { Counted, described, Field, type FieldFrame, InputBox } from './Field.tsx'
import css from './fields.module.css'
import { Icon } from './Icon.tsx'
import { IconButton } from './IconButton.tsx'
import { cx } from './open.ts'
import { Kbd } from './Tag.tsx'

/** Controlled text. `rows` > 1 makes it a textarea; `counter` shows length / maxLength in code points. `leading`/`trailing` stand inside the box. */
export type TextFieldProps = FieldFrame & {
  value: string
  onChange: (value: string) => void
  onBlur?: () => void
  type?: HTMLInputTypeAttribute
  name?: string
  placeholder?: string
  autoComplete?: string
  inputMode?: 'text' | 'email' | 'numeric' | 'decimal' | 'search' | 'tel' | 'url'
  maxLength?: number
  counter?: boolean
  rows?: number
  disabled?: boolean
  readOnly?: boolean
  required?: boolean
  leading?: ReactNode
  trailing?: ReactNode
  mono?: boolean
  /** For a code: its characters stand apart. */
  spaced?: boolean
  /** As tall as a thumb wants it where the form is all there is. */
  large?: boolean
}

export function TextField(props: TextFieldProps) {
  const id = useId()
  const {
    value,
    onChange,
    onBlur,
    type = 'text',
    name,
    placeholder,
    autoComplete,
    inputMode,
    maxLength,
    counter,
  } = props
  const { rows = 1, disabled, readOnly, required, leading, trailing, mono, spaced, large, error } = props
  const hint =
    counter && maxLength ? <Counted hint={props.hint} used={[...value].length} max={maxLength} /> : props.hint
  const control = {
    ...described(id, { hint, error }),
    value,
    name,
    placeholder,
    autoComplete,
    maxLength,
    disabled,
    readOnly,
    required,
    onBlur,
  }
  return (
    <Field
      id={id}
      label={props.label}
      hint={hint}
      error={error}
      action={props.action}
      hideLabel={props.hideLabel ?? false}
      className={props.className}
    >
      <InputBox
        error={Boolean(error)}
        disabled={disabled}
        tall={rows > 1}
        mono={mono}
        spaced={spaced}
        large={large}
      >
        {leading}
        {rows > 1 ? (
          <textarea {...control} rows={rows} onChange={(event) => onChange(event.target.value)} />
        ) : (
          <input
            {...control}
            type={type}
            inputMode={inputMode}
            onChange={(event) => onChange(event.target.value)}
          />
        )}
        {trailing}
      </InputBox>
    </Field>
  )
}

/* A password with a key that shows or hides it. */

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

/* Search in a list: one box with the glass, cleared by its own key or Esc. */

/** `placeholder` says what is searched (名稱、商品、代號); `shortcut` only shows the key, listening is the page's. */
export type SearchFieldProps = {
  label: string
  value: string
  onChange: (value: string) => void
  placeholder?: string
  shortcut?: string
  id?: string
  className?: string | undefined
}

export function SearchField({
  label,
  value,
  onChange,
  placeholder,
  shortcut,
  id,
  className,
}: SearchFieldProps) {
  return (
    <InputBox as="search" find className={className}>
      <Icon name="search" size={18} className="ink3" />
      <input
        id={id}
        type="search"
        aria-label={label}
        value={value}
        placeholder={placeholder}
        autoComplete="off"
        enterKeyHint="search"
        onChange={(event) => onChange(event.target.value)}
        onKeyDown={(event) => {
          // what is searched is found while it is typed; a form around it is not sent by that
          if (event.key === 'Enter') event.preventDefault()
          if (event.key !== 'Escape') return
          if (value) onChange('')
          // with nothing to clear it gives the page's keys back
          else event.currentTarget.blur()
        }}
      />
      {value ? (
        <IconButton icon="close" label="清除搜尋" size={16} inField onClick={() => onChange('')} />
      ) : (
        shortcut && <Kbd>{shortcut}</Kbd>
      )}
    </InputBox>
  )
}

/* How strong a password is, as a bar and a word. */

export function StrengthMeter({ password }: { password: string }) {
  const level = strength(password)
  return (
    <div className={cx(css.StrengthMeter, css[`StrengthMeter-s${level}`])}>
      <span className={css.StrengthMeterBar} aria-hidden="true">
        {[1, 2, 3].map((step) => (
          <i key={step} className={cx(step <= level && css.StrengthMeterOn)} />
        ))}
      </span>
      <span className="t12 ink3" role="status">
        {level > 0 ? `密碼強度：${STRENGTH_WORDS[level]}` : ''}
      </span>
    </div>
  )
}
