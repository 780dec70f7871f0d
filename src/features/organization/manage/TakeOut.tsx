/* Taking somebody or something out of a group. */
import type { AskProps } from '#screen/Ask.tsx'
import { Ask } from '#screen/Ask.tsx'

/** `name` as the screen shows it; `children` what ends by it. */
export type TakeOutProps<Output, Input> = { name: string } & Pick<
  AskProps<Output, Input>,
  'mutation' | 'input' | 'onClose' | 'children'
>

export function TakeOut<Output, Input>({ name, ...ask }: TakeOutProps<Output, Input>) {
  return (
    <Ask
      title={`移出「${name}」`}
      verb="移出群組"
      icon="minus"
      done={{ title: `已移出「${name}」` }}
      safe="沒有任何變更，"
      {...ask}
    />
  )
}
