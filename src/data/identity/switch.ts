// Acting as somebody else: the old context is left at once; what the new one asks for waits until its page stands.
import type { QueryClient } from '@tanstack/react-query'
import { ctxOf, type SessionPort } from '../context.ts'
import type { Data } from '../current.ts'
import type { SignalMemory } from '../device/signals.ts'
import { isPersons, switchInvalidates } from '../keys.ts'
import type { DataPorts } from '../ports.ts'
import type { Visit } from './visit.ts'

/** What a switch touches. */
export interface SwitchPorts extends Pick<DataPorts, 'drawing'> {
  visit(): Visit | null
  session: SessionPort
  query: QueryClient
  signals: SignalMemory
}

export function createSwitch(ports: SwitchPorts): Data['switchContext'] {
  const { session, query, signals, visit } = ports
  return (org_id, { announce = true } = {}) => {
    const ctx = ctxOf(org_id)
    if (org_id !== session.org_id()) {
      // Answers of the old context that come late are filed under its own key, or not at all.
      void query.cancelQueries({
        predicate: ({ queryKey }) => !isPersons(queryKey) && queryKey[0] !== ctx,
      })
      session.set_organization(org_id)
    }
    if (signals.current() === ctx) return
    signals.activate(ctx)
    const follow = () => {
      if (signals.current() !== ctx) return
      void query.invalidateQueries({ predicate: ({ queryKey }) => switchInvalidates(queryKey, ctx) })
      visit()?.live?.activate(ctx)
      void visit()?.renewal?.replicate()
    }
    const drawing = ports.drawing?.() ?? null
    if (drawing === null) follow()
    else void drawing.then(follow)
    if (announce) visit()?.tabs.post({ type: 'context', org_id })
  }
}
