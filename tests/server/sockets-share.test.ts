// Connections of IPv6: a subscriber's /48 is 65,536 subscribers by their /64s, and must not fill the server with them.
import { EventEmitter } from 'node:events'
import type { Server } from 'node:http'
import { expect, test } from 'vitest'
import { guardSockets, roomOf } from '#server/http/sockets.ts'

/** 80 connections in all, 20 of one subscriber. */
const ROOM = roomOf(null, 100)

function guarded() {
  const http = new EventEmitter()
  guardSockets(http as unknown as Server, ROOM, [])
  /** A connection with a request under way, which is never ended to make room; false = refused. */
  return (remoteAddress: string): boolean => {
    const socket = Object.assign(new EventEmitter(), { remoteAddress, destroyed: false, destroy })
    function destroy() {
      socket.destroyed = true
      socket.emit('close')
    }
    http.emit('connection', socket)
    if (!socket.destroyed) http.emit('request', { socket }, new EventEmitter())
    return !socket.destroyed
  }
}

test('at work, a /64 holds a quarter, a /56 three eighths, a /48 half; others come in', () => {
  const connect = guarded()
  const held = (address: (n: number) => string, tries: number) =>
    Array.from({ length: tries }, (_, n) => connect(address(n))).filter(Boolean).length
  expect(held(() => '2001:db8:7:1::1', 40)).toBe(20)
  expect(held((n) => `2001:db8:7:${(2 + (n % 200)).toString(16)}::1`, 60)).toBe(10)
  expect(held((n) => `2001:db8:7:${(0x100 + n).toString(16)}::1`, 200)).toBe(10)
  expect(held(() => '2001:db8:8::1', 40)).toBe(20)
  expect(held(() => '127.0.0.9', 40)).toBe(20)
})
