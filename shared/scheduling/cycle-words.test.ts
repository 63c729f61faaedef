import { expect, test } from 'vitest'
import { cycleWords } from './cycle-words.ts'

test('a period is shown in its largest whole unit', () => {
  expect(['every:5', 'every:90', 'every:60', 'every:600', 'every:7200'].map(cycleWords)).toEqual([
    { kind: 'seconds', n: 5 },
    { kind: 'seconds', n: 90 },
    { kind: 'minutes', n: 1 },
    { kind: 'minutes', n: 10 },
    { kind: 'hours', n: 2 },
  ])
})

test('minutes of some hours are shown with the first and the last run of the day', () => {
  expect(['*/15 7-11 * * *', '*/7 9-9 * * *'].map(cycleWords)).toEqual([
    { kind: 'between', n: 15, from: '07:00', to: '11:45' },
    { kind: 'between', n: 7, from: '09:00', to: '09:56' },
  ])
})

test('a time of day and a minute of each hour are shown in words, other cron texts unchanged', () => {
  expect(['5 0 * * *', '30 13 * * *', '7 * * * *', '0 9 * * 1', 'now'].map(cycleWords)).toEqual([
    { kind: 'daily', time: '00:05' },
    { kind: 'daily', time: '13:30' },
    { kind: 'hourly', minute: '07' },
    { kind: 'cron', cycle: '0 9 * * 1' },
    { kind: 'cron', cycle: 'now' },
  ])
})
