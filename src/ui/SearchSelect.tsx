/* A choice from a long list that is searched by typing: Mantine's where a mouse is at work, else and until it has come the platform's own select. */

import { type RefObject, useEffect, useId, useRef, useState, useSyncExternalStore } from 'react'
import { Field, InputBox } from './Field.tsx'
import css from './fields.module.css'
import type { DayInputProps } from './mantine/DayInput.tsx'
import { ChipSelect, type ChipSelectProps } from './Segments.tsx'
import { SelectField, type SelectFieldProps } from './SelectField.tsx'
import { TextField } from './TextField.tsx'

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
    <div ref={box} className={css.SearchSelect}>
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

/* A filter chip over a long list that is searched by typing; a short list, a finger, and the time until the code has come get a ChipSelect. */

const chip = arriving(() => import('./mantine/ChoiceChip.tsx'))

export function SearchChip<T extends string>(props: ChipSelectProps<T>) {
  const box = useRef<HTMLSpanElement>(null)
  const long = props.options.length >= SEARCHED_FROM
  const ChoiceChip = useArrived(chip, box, useMouse() && long)?.ChoiceChip
  return (
    <span ref={box} className={css.SearchChip}>
      {ChoiceChip ? <ChoiceChip {...props} /> : <ChipSelect {...props} />}
    </span>
  )
}

/* A calendar day. The platform's own field on phones and until the code has come; under a mouse one that is written as days are here, with Mantine's calendar. */

const input = arriving(() => import('./mantine/DayInput.tsx'))

export function DateField(props: DayInputProps) {
  const box = useRef<HTMLDivElement>(null)
  const DayInput = useArrived(input, box, useMouse())?.DayInput
  const { span: _span, ...field } = props
  return (
    <div ref={box} className={css.DateField}>
      {DayInput ? <DayInput {...props} /> : <TextField {...field} type="date" />}
    </div>
  )
}

/* A part whose code comes later. What stands in its place stays while somebody is in it, and for good where the code cannot come. */

/** `now` what has come, null until then; `ask` sends for it, once for all, and anew after it could not come. */
export interface Arriving<T> {
  now: () => T | null
  ask: () => Promise<T | null>
}

export function arriving<T>(load: () => Promise<T>): Arriving<T> {
  let part: T | null = null
  let coming: Promise<T | null> | null = null
  return {
    now: () => part,
    ask() {
      coming ??= load().then(
        (found) => {
          part = found
          return found
        },
        (error: unknown) => {
          coming = null
          console.warn('part', error)
          return null
        },
      )
      return coming
    },
  }
}

/** The part once it may stand in `box`: its code is here, it is `wanted`, and nobody is in what stood there before. */
export function useArrived<T>(
  part: Arriving<T>,
  box: RefObject<HTMLElement | null>,
  wanted: boolean,
): T | null {
  const [stands, setStands] = useState(part.now() !== null)
  useEffect(() => {
    if (stands || !wanted) return
    const node = box.current
    let over = false
    const left = ({ relatedTarget }: FocusEvent) => {
      if (!(relatedTarget instanceof Node && node?.contains(relatedTarget))) setStands(true)
    }
    void part.ask().then((found) => {
      if (found === null || over) return
      if (node?.contains(document.activeElement)) node.addEventListener('focusout', left)
      else setStands(true)
    })
    return () => {
      over = true
      node?.removeEventListener('focusout', left)
    }
  }, [part, box, stands, wanted])
  return stands && wanted ? part.now() : null
}

/* Whether a mouse is at work on a wide window. On phones and tablets the platform's own lists and calendars are the better ones. */

const query = typeof matchMedia === 'function' ? matchMedia('(min-width: 768px) and (pointer: fine)') : null

function subscribe(changed: () => void) {
  query?.addEventListener('change', changed)
  return () => query?.removeEventListener('change', changed)
}

export function useMouse(): boolean {
  return useSyncExternalStore(
    subscribe,
    () => query?.matches ?? false,
    () => false,
  )
}
