import { sql } from 'kysely'
import type { Trx } from '#gateway/manage/db/transaction.ts'

/**
 * National holidays of India fall on the same day each year; festivals that follow the moon are for
 * an administrator to enter.
 */
const NATIONAL = [
  {
    day: '01-26',
    labels: {
      en: 'Republic Day',
      zh: '共和国日',
      es: 'Día de la República',
      ja: '共和国記念日',
      vi: 'Ngày Cộng hòa',
      id: 'Hari Republik',
      th: 'วันสาธารณรัฐ',
    },
  },
  {
    day: '08-15',
    labels: {
      en: 'Independence Day',
      zh: '独立日',
      es: 'Día de la Independencia',
      ja: '独立記念日',
      vi: 'Ngày Độc lập',
      id: 'Hari Kemerdekaan',
      th: 'วันประกาศอิสรภาพ',
    },
  },
  {
    day: '10-02',
    labels: {
      en: 'Gandhi Jayanti',
      zh: '甘地诞辰',
      es: 'Natalicio de Gandhi',
      ja: 'ガンディー生誕記念日',
      vi: 'Ngày sinh Gandhi',
      id: 'Hari Lahir Gandhi',
      th: 'วันคล้ายวันเกิดคานธี',
    },
  },
] as const

/** Those of the years around `today`. */
export async function seedHolidays(trx: Trx, today: string): Promise<void> {
  const year = Number(today.slice(0, 4))
  const entries = [year - 1, year, year + 1].flatMap((of) =>
    NATIONAL.map(({ day, labels }) => ({ code: `${of}-${day}`, labels })),
  )
  await sql`
    insert into sys_dict_detail (dict_id, code, labels, sort)
    select d.id, x.code, x.labels, x.n
    from sys_dict d cross
      join jsonb_to_recordset(${JSON.stringify(entries.map((entry, n) => ({ ...entry, n })))}::jsonb) as x
      (code text, labels jsonb, n int)
    where d.code = 'holiday'
    on conflict (dict_id, code) do nothing`.execute(trx)
}
