/* The states of a tab's list as chips, the chosen one in the address; and what stands there when nothing has that state. */
import { Button } from '#ui/Button.tsx'
import { Chips } from '#ui/Chips.tsx'
import { EmptyState } from '#ui/EmptyState.tsx'
import { usePlace } from './use-place.ts'

type Words<S extends string> = Readonly<Record<S, { readonly text: string }>>

/** The state that the address asks for; undefined for all of them, also where it names none. */
export function useStatus<S extends string>(states: readonly S[]): S | undefined {
  const { search } = usePlace()
  return states.find((one) => one === search.status)
}

export function StateChips<S extends string>({ states, words }: { states: readonly S[]; words: Words<S> }) {
  const { change } = usePlace()
  const status = useStatus(states)
  return (
    <Chips
      inline="phone"
      label="狀態"
      chips={[
        { value: '', label: '全部', on: status === undefined },
        ...states.map((value) => ({ value, label: words[value].text, on: status === value })),
      ]}
      onPick={(value) => change({ status: value })}
    />
  )
}

/** `what` as in 沒有已過期的邀請, with the state before it. */
export function NothingOf({ state, what }: { state: string; what: string }) {
  const { change } = usePlace()
  return (
    <EmptyState
      card
      title={`沒有${state}的${what}`}
      action={
        <Button size="s" onClick={() => change({ status: '' })}>
          看全部
        </Button>
      }
    />
  )
}
