// /guide: how to do things, in chapters with addresses, found by words; part of the application, so it reads offline.
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useEffect } from 'react'
import { Button } from '#ui/Button.tsx'
import { Card } from '#ui/Card.tsx'
import { EmptyState } from '#ui/EmptyState.tsx'
import { PageHead } from '#ui/PageHead.tsx'
import { SearchField } from '#ui/TextField.tsx'
import { Blocks } from './Blocks.tsx'
import css from './GuidePage.module.css'
import { found } from './topic.ts'
import { GROUPS } from './topics.ts'

export function GuidePage() {
  const { q = '' }: { q?: string } = useSearch({ strict: false })
  const navigate = useNavigate()
  const groups = found(GROUPS, q)
  const search = (typed: string) =>
    void navigate({ to: '/guide', search: typed ? { q: typed } : {}, replace: true })
  useEffect(() => {
    // the page is drawn after the browser has looked for the anchor of its address
    if (location.hash) document.getElementById(location.hash.slice(1))?.scrollIntoView()
  }, [])
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
      {groups.length === 0 ? (
        <EmptyState
          card
          title="使用說明裡沒有這個詞"
          action={
            <Button size="s" onClick={() => search('')}>
              看全部
            </Button>
          }
        >
          換個說法試試，或看全部的章節。
        </EmptyState>
      ) : (
        <div className={css.root}>
          <nav className={css.toc} aria-label="章節">
            {groups.map(({ title, topics }) => (
              <div key={title}>
                <p className="t12 ink3">{title}</p>
                <ul>
                  {topics.map(({ id, title }) => (
                    <li key={id}>
                      <a href={`#${id}`}>{title}</a>
                    </li>
                  ))}
                </ul>
              </div>
            ))}
          </nav>
          <div className={`stack ${css.topics}`}>
            {groups.flatMap(({ topics }) =>
              topics.map(({ id, title, blocks }) => (
                <div key={id} id={id} className={css.topic}>
                  <Card title={title} pad className={css.chapter}>
                    <div className={css.body}>
                      <Blocks blocks={blocks} />
                    </div>
                  </Card>
                </div>
              )),
            )}
          </div>
        </div>
      )}
    </div>
  )
}
