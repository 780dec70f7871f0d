// The state of a form of texts: what was typed, what is wrong with it, and sending it once.
import { type FormEvent, useEffect, useRef, useState } from 'react'

/** Where a refusal is shown: messages at fields, and one sentence for what no field is to blame. */
export interface FormRefusal {
  fields?: Record<string, string>
  text?: string
}

/**
 * `initial` stands in every field that nobody typed in. `check` gives a message per field, empty when all fits. `send` gets
 * what fits and throws what is refused, `refused` says where that is shown; a form that stays on the screen begins anew by
 * `reset`.
 */
export interface FormOptions<Name extends string> {
  initial: Record<Name, string>
  check: (values: Record<Name, string>) => Record<string, string>
  send: (values: Record<Name, string>, reset: () => void) => Promise<unknown>
  refused: (error: unknown) => FormRefusal
}

/**
 * Messages stand at a field when it is left with something in it, and at all of them on submit; the focus goes to the first.
 * `busy` from the submit until it is refused: what was taken is not sent again before the next page stands.
 */
export function useForm<Name extends string>({ initial, check, send, refused }: FormOptions<Name>) {
  const [typed, setTyped] = useState<Partial<Record<Name, string>>>({})
  const [errors, setErrors] = useState<Record<string, string>>({})
  const [failure, setFailure] = useState('')
  const [busy, setBusy] = useState(false)
  /** The form whose first message gets the focus, once it stands there. */
  const missed = useRef<HTMLFormElement>(null)
  // biome-ignore lint/correctness/useExhaustiveDependencies: it is the messages that have come
  useEffect(() => {
    missed.current?.querySelector<HTMLElement>('[aria-invalid=true]')?.focus()
    missed.current = null
  }, [errors])
  const values: Record<Name, string> = { ...initial, ...typed }
  // what comes late (an invitation's address) fills a field nobody typed in: what was said of it empty is over
  const [stood, setStood] = useState(initial)
  const late = Object.keys(initial).filter(
    (name) => !(name in typed) && initial[name as Name] !== stood[name as Name],
  )
  if (late.length > 0) {
    setStood(initial)
    setErrors((before) => Object.fromEntries(Object.entries(before).filter(([name]) => !late.includes(name))))
  }

  function change(changes: Partial<Record<Name, string>>) {
    setTyped((before) => ({ ...before, ...changes }))
    setErrors((before) => Object.fromEntries(Object.entries(before).filter(([name]) => !(name in changes))))
  }
  function reset() {
    setTyped({})
    setErrors({})
    setFailure('')
    setBusy(false)
  }
  async function onSubmit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    if (busy) return
    const form = event.currentTarget
    const found = check(values)
    setErrors(found)
    setFailure('')
    if (Object.keys(found).length > 0) {
      missed.current = form
      return
    }
    setBusy(true)
    try {
      await send(values, reset)
    } catch (error) {
      const { fields = {}, text = '' } = refused(error)
      missed.current = form
      setErrors(fields)
      setFailure(text)
      setBusy(false)
    }
  }
  return {
    values,
    errors,
    /** What no field is to blame for; '' for nothing. */
    failure,
    busy,
    /** For the form element. */
    form: { onSubmit: (event: FormEvent<HTMLFormElement>) => void onSubmit(event), noValidate: true },
    /** For one text field. */
    field: (name: Name) => ({
      name,
      value: values[name],
      error: errors[name],
      onChange: (value: string) => change({ [name]: value } as Record<Name, string>),
      onBlur: () => {
        const message = values[name].trim() === '' ? undefined : check(values)[name]
        if (message) setErrors((before) => ({ ...before, [name]: message }))
      },
    }),
    change,
    reset,
  }
}
