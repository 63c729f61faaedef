import { expect, test } from 'vitest'
import { type FindablePage, pageSearchOf } from './page-search.ts'

const page = (name: string, title: string): FindablePage => ({
  name,
  path: `/x/${name}`,
  title,
  trail: [],
})
const ENGLISH = [
  page('order_list', 'Order list'),
  page('review_list', 'Review queue'),
  page('pedding_list', 'Open cases'),
  page('urge_schedule', 'Duty table'),
  page('operation_ticket', 'Operations tickets'),
]
const CHINESE = [
  page('order_list', '订单列表'),
  page('review_list', '审核队列'),
  page('urge_schedule', '排班表'),
]

test.each([
  ['order', 'order_list'],
  ['ordr lst', 'order_list'],
  ['reveiw', 'review_list'],
  ['duty', 'urge_schedule'],
  ['pedding', 'pedding_list'],
  ['tickets', 'operation_ticket'],
])('%s finds %s first', async (text, name) => {
  expect((await pageSearchOf(ENGLISH, false))(text)[0]?.name).toBe(name)
})

test.each([
  ['订单', 'order_list'],
  ['dingdan', 'order_list'],
  ['ddlb', 'order_list'],
  ['shenhe', 'review_list'],
  ['paiban', 'urge_schedule'],
])('%s finds %s by spelling or pronunciation', async (text, name) => {
  expect((await pageSearchOf(CHINESE, true))(text)[0]?.name).toBe(name)
})

test('without pinyin a pronunciation finds no Chinese title', async () => {
  expect((await pageSearchOf([page('a', '排班表')], false))('paiban')).toEqual([])
})

test('an empty or unrelated text finds nothing', async () => {
  const search = await pageSearchOf(ENGLISH, false)
  expect([search('  '), search('zzzzqqqq')]).toEqual([[], []])
})
