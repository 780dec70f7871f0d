/* The question before a period ends at once: why it does, and what ends with it. */
import { Ask, type AskProps } from '#screen/Ask.tsx'

/** `ending` why nothing of it holds today any more, `ends` what that takes away at once. */
export type EndQuestionProps<Output, Input> = Omit<AskProps<Output, Input>, 'verb' | 'safe' | 'children'> & {
  ending: string | null
  ends: string
}

export function EndQuestion<Output, Input>({ ending, ends, ...ask }: EndQuestionProps<Output, Input>) {
  return (
    <Ask verb="立刻結束" safe="沒有任何變更，" {...ask}>
      <p>
        {ending}：{ends}
      </p>
    </Ask>
  )
}
