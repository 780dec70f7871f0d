// Where to go after signing in: the rule stands in the contract, because the server judges by it too.
import { judgeReturnTo } from '#contract/return-to.ts'

/** The path when `value` names a page of this application, else null. */
export function safeReturnTo(value: string | null | undefined): string | null {
  return judgeReturnTo(value, (address, base) => new URL(address, base))
}
