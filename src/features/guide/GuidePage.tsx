// /guide: ten short pages found by words; part of the application, so it reads offline. `?page=` names one, and so does an anchor of before.
import { useLocation, useNavigate, useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import { useGo } from '#screen/go.ts'
import { KeyList, KeySwitch } from '#screen/KeyList.tsx'
import { useCreate } from '#screen/ListActions.tsx'
import { partsOf, templateOf } from '#text/webhook.ts'
import { Button } from '#ui/Button.tsx'
import { Card, CardRows, Fold } from '#ui/Card.tsx'
import { CodeBlock } from '#ui/CodeBlock.tsx'
import { EmptyState } from '#ui/EmptyState.tsx'
import { Icon } from '#ui/Icon.tsx'
import { opens } from '#ui/open.ts'
import { PageHead } from '#ui/PageHead.tsx'
import { SearchField } from '#ui/TextField.tsx'
import css from './GuidePage.module.css'
import { type Block, found, holds, TOPICS, type Topic, topicAt } from './topics.ts'

type Search = { q?: string; page?: string }

const hrefOf = (search: Search) => {
  const words = new URLSearchParams(search).toString()
  return words ? `/guide?${words}` : '/guide'
}

export function GuidePage() {
  const { q = '', page = '' }: Search = useSearch({ strict: false })
  const anchor = useLocation({ select: ({ hash }) => hash })
  const navigate = useNavigate()
  const topic = topicAt(page || anchor)
  if (topic) return <TopicPage key={topic.id} topic={topic} typed={q} anchor={page || anchor} />
  const topics = found(TOPICS, q)
  const search = (typed: string) =>
    void navigate({ to: '/guide', search: typed ? { q: typed } : {}, replace: true })
  return (
    <div className="page">
      <PageHead title="使用說明" meta="沒有網路也能看。" />
      <div className={css.find}>
        <SearchField
          label="搜尋使用說明"
          placeholder="想做什麼，例如 iPhone、離線、webhook"
          value={q}
          onChange={search}
          shortcut="/"
        />
      </div>
      {topics.length === 0 ? (
        <EmptyState
          card
          title="使用說明裡沒有這個詞"
          action={
            <Button size="s" onClick={() => search('')}>
              看全部
            </Button>
          }
        >
          換個說法試試，或看全部。
        </EmptyState>
      ) : (
        <Card className={css.wide}>
          <Topics topics={topics} typed={q} />
        </Card>
      )}
    </div>
  )
}

function Topics({ topics, typed }: { topics: readonly Topic[]; typed: string }) {
  const { go } = useGo()
  return (
    <CardRows links>
      {topics.map(({ id, title, lead }) => {
        const { href, onClick } = go(hrefOf({ ...(typed && { q: typed }), page: id }))
        return (
          <li key={id}>
            <a href={href} onClick={opens(onClick)}>
              <span className="sp">
                <b>{title}</b>
                <small>{lead}</small>
              </span>
              <Icon name="chevron-right" size={18} className="ink3" />
            </a>
          </li>
        )
      })}
    </CardRows>
  )
}

/** `anchor` is the address's word for the page: an old one opens the fold that it stood for, as a search opens those that hold it. */
function TopicPage({ topic, typed, anchor }: { topic: Topic; typed: string; anchor: string }) {
  const { go } = useGo()
  const { href, onClick } = go(hrefOf(typed ? { q: typed } : {}))
  const next = TOPICS[TOPICS.indexOf(topic) + 1]
  return (
    <div className="page">
      <PageHead title={topic.title} back={{ href, label: '使用說明', onOpen: onClick }} />
      <Card pad className={css.wide}>
        <div className={css.body}>
          {topic.blocks.map((block) => (
            <One
              key={JSON.stringify(block)}
              block={block}
              open={
                holds(block, typed) || ('object' === typeof block && 'was' in block && block.was === anchor)
              }
            />
          ))}
        </div>
      </Card>
      {next && (
        <p className={css.next}>
          <Button kind="ghost" trailing="chevron-right" {...go(hrefOf({ page: next.id }))}>
            下一頁：{next.title}
          </Button>
        </p>
      )}
    </div>
  )
}

function One({ block, open = false }: { block: Block; open?: boolean }) {
  const { go } = useGo()
  if (typeof block === 'string') return <p className="read">{block}</p>
  if ('head' in block) return <h2 className={css.head}>{block.head}</h2>
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
  if ('picture' in block) return <Shown {...block} />
  if ('href' in block)
    return (
      <p>
        <Button size="s" trailing="chevron-right" {...go(block.href)}>
          {block.label}
        </Button>
      </p>
    )
  if ('create' in block) return <Create {...block} />
  if ('more' in block)
    return (
      <div className={css.more}>
        <Fold title={block.more} open={open}>
          <div className={css.body}>
            {block.blocks.map((one) => (
              <One key={JSON.stringify(one)} block={one} />
            ))}
          </div>
        </Fold>
      </div>
    )
  return (
    <div className={css.keys}>
      <KeyList />
      <KeySwitch />
    </div>
  )
}

/** One for each theme; only the one that shows is fetched. Not kept on the device: the text says everything, and without a network
 * the picture is not there rather than broken. */
function Shown({ picture, alt }: Extract<Block, { picture: string }>) {
  const [lost, setLost] = useState(false)
  if (lost) return null
  return (['light', 'dark'] as const).map((theme) => (
    <img
      key={theme}
      className={`${css.picture} ${css[theme]}`}
      src={`/guide/${picture}-${theme}.webp`}
      alt={alt}
      width={390}
      height={300}
      loading="lazy"
      onError={() => setLost(true)}
    />
  ))
}

/** Leads to the first strategy, and whoever may not make one here to where they may. */
function Create({ create, elsewhere }: Extract<Block, { create: string }>) {
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
