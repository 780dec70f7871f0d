// The blocks of a chapter as they are read.

import { useGo } from '#screen/go.ts'
import { KeyList, KeySwitch } from '#screen/KeyList.tsx'
import { useCreate } from '#screen/ListKeys.tsx'
import { partsOf, templateOf } from '#text/webhook.ts'
import { Button } from '#ui/Button.tsx'
import { CodeBlock } from '#ui/CodeBlock.tsx'
import css from './Blocks.module.css'
import type { TopicBlock } from './topic.ts'

export function Blocks({ blocks }: { blocks: readonly TopicBlock[] }) {
  return blocks.map((block) => <One key={JSON.stringify(block)} block={block} />)
}

function One({ block }: { block: TopicBlock }) {
  const { go } = useGo()
  if (typeof block === 'string') return <p className="read">{block}</p>
  if ('steps' in block)
    return (
      <ol className={`${css.steps} read`}>
        {block.steps.map((step) => (
          <li key={step}>{step}</li>
        ))}
      </ol>
    )
  if ('list' in block)
    return (
      <ul className={`${css.list} read`}>
        {block.list.map((line) => (
          <li key={line}>{line}</li>
        ))}
      </ul>
    )
  if ('template' in block) {
    const { text, label, hint } = templateOf(block.template)
    return (
      <>
        <CodeBlock code={partsOf(text)} label={label} copy={block.copy} wrap />
        <p className="t13 ink3">{hint}</p>
      </>
    )
  }
  if ('code' in block) return <CodeBlock code={block.code} label={block.label} copy={block.copy} wrap />
  if ('href' in block)
    return (
      <p>
        <Button size="s" trailing="chevron-right" {...go(block.href)}>
          {block.label}
        </Button>
      </p>
    )
  if ('create' in block) return <Create {...block} />
  return (
    <div className={css.keys}>
      <KeyList />
      <KeySwitch />
    </div>
  )
}

/** Leads to the first strategy, and whoever may not make one here to where they may. */
function Create({ create, elsewhere }: Extract<TopicBlock, { create: string }>) {
  const { go } = useGo()
  const made = useCreate()
  return (
    <>
      {!made.allowed && <p className="read">{elsewhere}</p>}
      <p>
        {made.allowed ? (
          <Button size="s" trailing="chevron-right" href="/strategies/create" onClick={made.create}>
            {create}
          </Button>
        ) : (
          <Button size="s" trailing="chevron-right" {...go('/my-organizations')}>
            切換身份
          </Button>
        )}
      </p>
    </>
  )
}
