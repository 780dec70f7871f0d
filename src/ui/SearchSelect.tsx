/* A choice from a long list that is searched by typing: Mantine's where a mouse is at work, else and until it has come the platform's own select. */
import { useId, useRef } from 'react'
import { arriving, useArrived } from './arriving.ts'
import { Field } from './Field.tsx'
import { InputBox } from './InputBox.tsx'
import { useMouse } from './mouse.ts'
import css from './SearchSelect.module.css'
import { SelectField, type SelectFieldProps } from './SelectField.tsx'

/** From so many choices on there is something to search. */
export const SEARCHED_FROM = 8

const choice = arriving(() => import('./mantine/Choice.tsx'))

export function SearchSelect<T extends string>(props: SelectFieldProps<T>) {
  const id = useId()
  const box = useRef<HTMLDivElement>(null)
  const long = props.options.length >= SEARCHED_FROM
  const Choice = useArrived(choice, box, useMouse() && long)?.Choice
  const { label, hint, error, action, hideLabel = false } = props
  return (
    <div ref={box} className={css.root}>
      {Choice ? (
        <Field id={id} label={label} hint={hint} error={error} action={action} hideLabel={hideLabel}>
          <InputBox pick error={Boolean(error)} disabled={props.disabled}>
            <Choice {...props} id={id} />
          </InputBox>
        </Field>
      ) : (
        <SelectField {...props} />
      )}
    </div>
  )
}
