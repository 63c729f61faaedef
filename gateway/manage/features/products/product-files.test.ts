/** Files of products: the logo, and the workbook with the first terms. */
import { randomUUID } from 'node:crypto'
import { strToU8, zipSync } from 'fflate'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { InputOf } from '#shared/kernel/endpoint.ts'
import { LANGUAGES } from '#shared/kernel/languages.ts'
import * as api from '#shared/products/products-api.ts'
import { PDF, PNG, REFUSED_FILES } from '#tests/factories/files.ts'
import { pixelsOf, telephonePhoto } from '#tests/factories/pictures.ts'
import { makeProduct } from '#tests/factories/orders.ts'
import { asExcel, changed, type Filled, filled } from '#tests/factories/terms-workbook.ts'
import { type Floor, type Person, testManage } from '#tests/support/manage.ts'
import { columnKey, COLUMNS, PARTS, plain, sheetKey, wordsIn } from './terms-sheets.ts'

let floor: Floor
let manager: Person
let director: Person
let service: Person
beforeAll(async () => {
  floor = await testManage()
  await makeProduct(floor)
  ;[manager, director, service] = (await Promise.all(
    ['manager', 'director', 'customer_service'].map((account) => floor.signIn(account)),
  )) as [Person, Person, Person]
})
afterAll(() => floor.close())

const JPG = await telephonePhoto({ width: 90, height: 60 })
const FIELDS: InputOf<typeof api.addProduct> = {
  name: 'Monsoon 60',
  appId: 'A1',
  merchantId: 'MC001',
  minAmount: 500_000,
  maxAmount: 4_000_000,
  tenureDays: 60,
  periods: 2,
  daysPerPeriod: 30,
  serviceRate: 250,
  dailyRate: 7,
  coolingOffDays: 3,
  microfinance: false,
}
let made = 0
interface Given {
  logo?: Buffer
  template?: Buffer
}
/** Adds files, which the typed input does not contain. */
function given({ logo, template }: Given, more: Partial<typeof FIELDS> = {}): typeof FIELDS {
  made += 1
  return {
    ...FIELDS,
    name: `Monsoon ${made}`,
    ...more,
    ...((logo ? { logo: [logo] } : {}) as object),
    ...((template ? { template: [template] } : {}) as object),
  }
}
const rowOf = async (productId: string) =>
  (await director.call(api.listProducts, { pageSize: 200 })).rows.find(
    (row) => row.productId === productId,
  )
const edited = (row: Awaited<ReturnType<typeof rowOf>>, more: object = {}) => ({
  ...FIELDS,
  productId: row?.productId ?? '',
  version: row?.version ?? 0,
  name: row?.name ?? '',
  ...more,
})
async function counts(): Promise<{ logos: number; products: number }> {
  const { rows } = await sql<{
    logos: number
    products: number
  }>`
    select (select count(*)::int from file_object o where o.purpose = 'logo') as logos,
      (select count(*)::int from product) as products`.execute(floor.database.kysely)
  return rows[0] as { logos: number; products: number }
}
const template = async (language?: (typeof LANGUAGES)[number]) =>
  (await manager.send(api.productTemplate, language ? { language } : {})).rawPayload

test('a logo is uploaded with a product, visible to users who see products, and not watermarked', async () => {
  const { productId } = await manager.call(api.addProduct, given({ logo: PNG }))
  const fileId = (await rowOf(productId))?.logoFileId ?? ''
  const picture = await director.send(api.productLogo, { productId, fileId })
  expect(picture.headers).toMatchObject({
    'content-type': 'image/png',
    'x-content-type-options': 'nosniff',
    'content-security-policy': expect.stringContaining('sandbox'),
  })
  const [sent, seen] = [await pixelsOf(PNG), await pixelsOf(picture.rawPayload)]
  expect([seen.width, seen.height, seen.data.equals(sent.data)]).toEqual([1, 1, true])
  expect(await service.refused(api.productLogo, { productId, fileId })).toMatchObject({ code: 403 })
  const { productId: other } = await manager.call(api.addProduct, given({}))
  expect(await director.refused(api.productLogo, { productId: other, fileId })).toMatchObject({
    problem: { id: 'G404' },
  })
  expect((await rowOf(other))?.logoFileId).toBeNull()
})

test('numbers and booleans of a multipart form are parsed', async () => {
  const { productId } = await manager.call(
    api.addProduct,
    given({ logo: JPG }, { microfinance: true, description: '100', sort: 7 }),
  )
  expect(await rowOf(productId)).toMatchObject({
    minAmount: 500_000,
    microfinance: true,
    description: '100',
    sort: 7,
  })
  expect(
    await manager.refused(api.addProduct, given({ logo: JPG }, { minAmount: 'a lot' as never })),
  ).toMatchObject({ problem: { id: 'G-FIELD' }, data: { fields: { minAmount: 'type' } } })
})

test('a new logo replaces and deletes the old one; it stays when omitted and is removed on request', async () => {
  const { productId } = await manager.call(api.addProduct, given({ logo: PNG }))
  const first = await rowOf(productId)
  const same = await manager.call(api.editProduct, edited(first, { sort: 3 }))
  expect(same.logoFileId).toBe(first?.logoFileId)
  const before = (await counts()).logos
  const replaced = await manager.call(api.editProduct, edited(same, { logo: [JPG] }))
  expect(replaced.logoFileId).not.toBe(first?.logoFileId)
  expect(
    (await director.send(api.productLogo, { productId, fileId: replaced.logoFileId ?? '' }))
      .headers['content-type'],
  ).toBe('image/jpeg')
  expect(
    await director.refused(api.productLogo, { productId, fileId: first?.logoFileId ?? '' }),
  ).toMatchObject({ problem: { id: 'G404' } })
  expect((await counts()).logos).toBe(before)
  expect(
    (await manager.call(api.editProduct, edited(replaced, { removeLogo: true }))).logoFileId,
  ).toBeNull()
  expect((await counts()).logos).toBe(before - 1)
  expect(await manager.refused(api.editProduct, edited(replaced, { logo: [PNG] }))).toMatchObject({
    problem: { id: 'G409' },
  })
  expect((await counts()).logos).toBe(before - 1)
})

test.each([...REFUSED_FILES, ['a PDF', PDF] as const])(
  'an invalid logo is refused: %s',
  async (_, bytes) => {
    const before = await counts()
    const { problem, data } = await manager.refused(api.addProduct, given({ logo: bytes }))
    expect([problem?.id, data]).toEqual(['G-FILE', { fields: { logo: 'products:fault.logoKind' } }])
    expect(await counts()).toEqual(before)
  },
)

test('a second logo and a logo above 1 MB are refused', async () => {
  const large = Buffer.concat([PNG, Buffer.alloc(1_048_577 - PNG.length)])
  const { productId } = await manager.call(
    api.addProduct,
    given({ logo: large.subarray(0, 1_048_576) }),
  )
  expect((await rowOf(productId))?.logoFileId).not.toBeNull()
  const answer = await manager.send(api.addProduct, given({ logo: large }))
  expect([answer.statusCode, answer.json()]).toMatchObject([
    413,
    {
      problem: { id: 'G-SIZE', params: { n: 1 } },
      data: { fields: { logo: 'ui:fault.fileSize' } },
    },
  ])
  expect(
    await manager.refused(api.addProduct, { ...given({}), ...({ logo: [PNG, JPG] } as object) }),
  ).toMatchObject({ data: { fields: { logo: 'maxItems' } } })
})

test('users who cannot add or edit products cannot upload files, and the template has its own permission', async () => {
  expect(
    await director.refused(api.addProduct, given({ logo: PNG, template: await template() })),
  ).toMatchObject({ code: 403 })
  const { productId } = await manager.call(api.addProduct, given({}))
  expect(
    await director.refused(api.editProduct, edited(await rowOf(productId), { logo: [PNG] })),
  ).toMatchObject({ code: 403 })
  for (const person of [director, service])
    expect(await person.refused(api.productTemplate, {})).toMatchObject({ code: 403 })
})

test('the same request sent twice creates one product with one logo, whatever files it carries', async () => {
  const key = { 'idempotency-key': randomUUID() }
  const input = given({
    logo: PNG,
    template: filled(await template(), { penalty: [[1, null, 0.1, null]] }),
  })
  const first = await manager.call(api.addProduct, input, key)
  const before = await counts()
  expect(await manager.call(api.addProduct, input, key)).toEqual(first)
  expect(await counts()).toEqual(before)
  expect(
    await manager.refused(api.addProduct, { ...input, ...({ logo: [JPG] } as object) }, key),
  ).toMatchObject({ problem: { id: 'G-IK' } })
})

const QUOTA = [
  { customerClass: 'new', orderNoFrom: 1, orderNoTo: 2, limit: 1_500_050, term: 1 },
  { customerClass: 'new', orderNoFrom: 3, orderNoTo: null, limit: 4_000_000, term: 2 },
  { customerClass: 'old', orderNoFrom: 1, orderNoTo: null, limit: 3_000_000, term: 2 },
]
const PENALTY = [
  { dayFrom: 1, dayTo: 7, rate: 7, capRatio: null },
  { dayFrom: 8, dayTo: null, rate: 10, capRatio: 5_000 },
]
async function termsOf(productId: string) {
  const [quota, penalty, extend] = await Promise.all([
    director.call(api.productQuota, { productId }),
    director.call(api.productPenalty, { productId }),
    director.call(api.productExtension, { productId }),
  ])
  return { quota: quota.quota, penalty: penalty.penalty, extend: extend.extend }
}

test.each(LANGUAGES)(
  'the template filled in %s becomes the terms of the product',
  async (language) => {
    const translate = await wordsIn(language)
    const [neu, old] = [translate('products:class.new'), translate('products:class.old')]
    const book = filled(await template(language), {
      quota: [
        [neu, 1, 2, 15000.5, 1],
        [neu, 3, null, 40000, 2],
        [old, 1, null, '₹30,000', 2],
      ],
      penalty: [
        [1, 7, 0.07, null],
        [8, null, '0.1 %', 50],
      ],
      extend: [[translate('ui:yes'), 7, translate('products:extend.type.rate'), 4, 0.55, 2]],
    })
    const { productId } = await manager.call(api.addProduct, given({ logo: PNG, template: book }))
    expect(await termsOf(productId)).toEqual({
      quota: QUOTA,
      penalty: PENALTY,
      extend: { enabled: true, days: 7, feeType: 'rate', fee: 400, commission: 55, maxTimes: 2 },
    })
    expect(
      (
        await sql<{
          penalty_rate: number
        }>`select p.penalty_rate from product p where p.id = ${productId}`.execute(
          floor.database.kysely,
        )
      ).rows[0]?.penalty_rate,
    ).toBe(7)
    expect(await rowOf(productId)).toMatchObject({ status: 'disabled', version: 1 })
  },
)

test('the unchanged template sets no terms, and an empty sheet is like no workbook', async () => {
  const { productId: plainly } = await manager.call(api.addProduct, given({}))
  const without = await termsOf(plainly)
  for (const book of [
    await template('th'),
    filled(await template(), { quota: [], penalty: [], extend: [] }),
  ]) {
    expect(
      await termsOf((await manager.call(api.addProduct, given({ template: book }))).productId),
    ).toEqual(without)
  }
})

test('a changed example row counts, whatever its note', async () => {
  const book = filled(await template(), {
    penalty: [[1, null, 0.2, 50, 'Example: not read until you change it']],
  })
  expect(
    (await termsOf((await manager.call(api.addProduct, given({ template: book }))).productId))
      .penalty,
  ).toEqual([{ dayFrom: 1, dayTo: null, rate: 20, capRatio: 5_000 }])
  const kept = filled(await template(), { penalty: [[1, null, 0.1, 50]] })
  expect(
    (await termsOf((await manager.call(api.addProduct, given({ template: kept }))).productId))
      .penalty,
  ).toEqual([{ dayFrom: 1, dayTo: null, rate: 10, capRatio: 5_000 }])
})

test('workbooks with shared strings, reordered sheets and percent formats are read', async () => {
  const book = asExcel([
    {
      name: 'Overdue fine',
      rows: [
        [
          'Per day (%)',
          'Cap in all (%, blank: none)',
          'Overdue day from',
          'Overdue day to (blank: no end)',
        ],
        [{ xml: '<c s="2"><v>6.9999999999999999E-4</v></c>' }, null, 1, 7],
        [{ xml: '<c s="1"><v>0.001</v></c>' }, { xml: '<c s="1"><v>0.5</v></c>' }, 8, null],
      ],
    },
    { name: 'Notes', rows: [['anything']] },
    {
      name: 'Prórroga',
      rows: [
        ['mine', 'too', 'words', 'of', 'my', 'own'],
        [{ xml: '<c t="b"><v>0</v></c>' }, 15, 'fixed', 250.5, 0, 1],
      ],
    },
    {
      name: 'LIMITS  by borrower',
      rows: [
        [
          'Borrowers',
          'Loan number from',
          'Loan number to (blank: no end)',
          'Largest amount (₹)',
          'Instalments',
        ],
        ['new', 1, 2, 15000.5, 1],
        [],
        ['New borrowers', 3, null, 40000, 2],
        ['既存顧客', 1, null, 30000, 2],
      ],
    },
  ])
  const { productId } = await manager.call(api.addProduct, given({ template: book }))
  expect(await termsOf(productId)).toEqual({
    quota: QUOTA,
    penalty: PENALTY,
    extend: { enabled: false, days: 15, feeType: 'fixed', fee: 25_050, commission: 0, maxTimes: 1 },
  })
})

const N = 'New borrowers'
const FORMULA = { xml: '<c><f>1+1</f><v>2</v></c>' }
const FAULTS: [
  string,
  Parameters<typeof filled>[1],
  (readonly [sheet: string, row: number, column: string, messageKey: string, params?: object])[],
][] = [
  [
    'an unknown word',
    { quota: [['Everybody', 1, null, 10000, 1]] },
    [['quota', 2, 'A', 'products:sheet.fault.word']],
  ],
  [
    'a blank cell',
    { quota: [[N, 1, null, null, 1]], penalty: [[1, null, null, null]] },
    [
      ['quota', 2, 'D', 'ui:fault.required'],
      ['penalty', 2, 'C', 'ui:fault.required'],
    ],
  ],
  [
    'letters instead of numbers',
    { quota: [[N, 'one', null, 'much', 1]], penalty: [[1, null, 'little', null]] },
    [
      ['quota', 2, 'B', 'products:sheet.fault.whole'],
      ['quota', 2, 'D', 'products:sheet.fault.money'],
      ['penalty', 2, 'C', 'products:sheet.fault.percent'],
    ],
  ],
  [
    'a fractional loan number, a third decimal',
    { quota: [[N, 1.5, null, 10000.005, 1]], penalty: [[1, null, 0.105, null]] },
    [
      ['quota', 2, 'B', 'products:sheet.fault.whole'],
      ['quota', 2, 'D', 'products:sheet.fault.decimals'],
      ['penalty', 2, 'C', 'products:sheet.fault.decimals'],
    ],
  ],
  [
    'values the form refuses',
    {
      quota: [[N, 0, null, 0.5, 37]],
      penalty: [[1, null, 101, null]],
      extend: [['Yes', 366, 'Fixed amount', -1, 0, 3]],
    },
    [
      ['quota', 2, 'B', 'ui:fault.minimum', { limit: 1 }],
      ['quota', 2, 'D', 'ui:fault.minimum', { limit: '₹1.00' }],
      ['quota', 2, 'E', 'ui:fault.maximum', { limit: 36 }],
      ['penalty', 2, 'C', 'ui:fault.maximum', { limit: '100.00 %' }],
      ['extend', 2, 'B', 'ui:fault.maximum', { limit: 365 }],
      ['extend', 2, 'D', 'ui:fault.minimum', { limit: '₹0.00' }],
      ['extend', 2, 'F', 'ui:fault.maximum', { limit: 2 }],
    ],
  ],
  [
    'a fee above 100 %',
    { extend: [['Yes', 7, 'Share of the principal', 100.01, 101, 1]] },
    [
      ['extend', 2, 'D', 'products:fault.rate'],
      ['extend', 2, 'E', 'products:fault.rate'],
    ],
  ],
  [
    'a formula',
    { quota: [[N, 1, null, FORMULA, 1]] },
    [['quota', 2, 'D', 'products:sheet.fault.formula']],
  ],
  [
    'a spreadsheet error value',
    { penalty: [[1, null, { xml: '<c t="e"><v>#REF!</v></c>' }, null]] },
    [['penalty', 2, 'C', 'products:sheet.fault.formula']],
  ],
  [
    'a gap between loan numbers',
    {
      quota: [
        [N, 1, 1, 10000, 1],
        [N, 3, null, 10000, 1],
      ],
    },
    [['quota', 3, 'B', 'products:sheet.fault.from']],
  ],
  [
    'overlapping days',
    {
      penalty: [
        [1, 7, 0.1, null],
        [7, null, 0.1, null],
      ],
    },
    [['penalty', 3, 'A', 'products:sheet.fault.from']],
  ],
  [
    'a missing open end',
    {
      penalty: [
        [1, 7, 0.1, null],
        [8, 30, 0.1, null],
      ],
    },
    [['penalty', 3, 'B', 'products:sheet.fault.to']],
  ],
  [
    'a decreasing cap',
    {
      penalty: [
        [1, 7, 0.1, 50],
        [8, null, 0.1, 40],
      ],
    },
    [['penalty', 3, 'D', 'products:sheet.fault.cap']],
  ],
  [
    'limits above the product',
    {
      quota: [
        [N, 1, 1, 4999, 1],
        [N, 2, null, 40000.01, 3],
      ],
    },
    [
      ['quota', 2, 'D', 'products:fault.limit'],
      ['quota', 3, 'D', 'products:fault.limit'],
      ['quota', 3, 'E', 'products:fault.term'],
    ],
  ],
  [
    'two extensions',
    {
      extend: [
        ['Yes', 7, 'Fixed amount', 100, 0, 1],
        ['No', 7, 'Fixed amount', 100, 0, 1],
      ],
    },
    [['extend', 3, 'A', 'products:sheet.fault.tooMany', { most: 1 }]],
  ],
  [
    'too many ranges',
    {
      penalty: Array.from({ length: 21 }, (_, i): Filled[] => [
        i + 1,
        i === 20 ? null : i + 1,
        0.1,
        null,
      ]),
    },
    [['penalty', 22, 'A', 'products:sheet.fault.tooMany', { most: 20 }]],
  ],
  [
    'a percentage instead of an amount',
    { quota: [[N, 1, null, '50 %', 1]] },
    [['quota', 2, 'D', 'products:sheet.fault.money']],
  ],
]
test.each(FAULTS)(
  'a workbook is refused for %s with sheet, row and column, and nothing is stored',
  async (_, rows, faults) => {
    const before = await counts()
    const { problem, data } = await manager.refused(
      api.addProduct,
      given({ logo: PNG, template: filled(await template(), rows) }),
    )
    expect([problem?.id, data]).toEqual([
      'G-FILE',
      {
        fields: { template: 'products:fault.template' },
        rows: faults.map(([sheet, row, column, messageKey, params = {}]) => ({
          sheet,
          row,
          column,
          messageKey,
          params,
        })),
      },
    ])
    expect(await counts()).toEqual(before)
  },
)

test('missing sheets and columns are reported', async () => {
  const faultsOf = async (book: Buffer) =>
    (
      (await manager.refused(api.addProduct, given({ template: book }))).data as {
        rows: { sheet: string; row: number; column: string; messageKey: string }[]
      }
    ).rows.map(({ sheet, row, column, messageKey }) => [
      sheet,
      row,
      column,
      messageKey.split('.').at(-1),
    ])
  const quota = {
    name: 'Limits by borrower',
    rows: [['Borrowers', 'Loan number from', 'Largest amount (₹)', 'Instalments']],
  }
  expect(await faultsOf(asExcel([quota, { name: 'Extension', rows: [] }]))).toEqual([
    ['quota', 1, 'C', 'noColumn'],
    ['penalty', 1, 'A', 'noSheet'],
    ['extend', 1, 'A', 'noHead'],
  ])
  // data in the header row
  expect(
    await faultsOf(
      asExcel([
        { name: 'a', rows: [[], ['new', 1, null, 10000, 1]] },
        { name: 'b', rows: [['from', 'to', 'rate', 'cap']] },
        { name: 'c', rows: [['a', 'b', 'c', 'd', 'e', 'f']] },
      ]),
    ),
  ).toEqual([['quota', 1, 'A', 'noHead']])
})

const RUBBISH: [string, (book: Buffer) => Buffer, string][] = [
  ['a picture', () => PNG, 'products:fault.templateKind'],
  ['a CSV file', () => Buffer.from('a,b\n1,2\n'), 'products:fault.templateKind'],
  [
    'a zip signature without a zip',
    () => Buffer.from('PK\x03\x04 calls itself a workbook', 'latin1'),
    'ui:fault.sheet',
  ],
  ['a truncated workbook', (book) => book.subarray(0, book.length / 2), 'ui:fault.sheet'],
  [
    'a zip without a workbook',
    () => Buffer.from(zipSync({ 'word/document.xml': strToU8('<w/>') })),
    'ui:fault.sheet',
  ],
  [
    'a workbook with macros',
    (book) =>
      changed(book, (parts) => {
        parts['xl/vbaProject.bin'] = strToU8('Sub Auto_Open')
      }),
    'ui:fault.sheetActs',
  ],
  [
    'a workbook with external links',
    (book) =>
      changed(book, (parts) => {
        parts['xl/externalLinks/externalLink1.xml'] = strToU8('<externalLink/>')
      }),
    'ui:fault.sheetActs',
  ],
  [
    'XML with entity definitions',
    (book) =>
      changed(book, (parts) => {
        parts['xl/workbook.xml'] = strToU8(
          '<!DOCTYPE x [<!ENTITY a SYSTEM "file:///etc/passwd">]><workbook/>',
        )
      }),
    'ui:fault.sheet',
  ],
  [
    'a zip bomb',
    (book) =>
      changed(book, (parts) => {
        parts['xl/sharedStrings.xml'] = new Uint8Array(9 * 1_048_576)
      }),
    'ui:fault.sheet',
  ],
  [
    'a zip with thousands of parts',
    (book) =>
      changed(book, (parts) => {
        for (let i = 0; i < 1_001; i += 1) parts[`x/${i}`] = strToU8('')
      }),
    'ui:fault.sheet',
  ],
]
test.each(RUBBISH)('an invalid workbook is refused: %s', async (_, make, key) => {
  const before = await counts()
  const { problem, data } = await manager.refused(
    api.addProduct,
    given({ logo: PNG, template: make(await template()) }),
  )
  expect([problem?.id, data]).toEqual(['G-FILE', { fields: { template: key } }])
  expect(await counts()).toEqual(before)
})

test.each(['<', '<row', '<a', '<row>', '<a b="', '<c r="A1"><v>', '&#', '<t '.padEnd(60, 'x')])(
  'a sheet of nothing but %s is read quickly',
  async (piece) => {
    const book = changed(await template(), (parts) => {
      parts['xl/worksheets/sheet1.xml'] = strToU8(
        piece.repeat(Math.floor(1_500_000 / piece.length)),
      )
    })
    const began = performance.now()
    expect(await manager.refused(api.addProduct, given({ template: book }))).toMatchObject({
      problem: { id: 'G-FILE' },
    })
    expect(performance.now() - began).toBeLessThan(30_000)
  },
)

test('template words are unambiguous across all languages and fit into a workbook', async () => {
  const all = await Promise.all(LANGUAGES.map(wordsIn))
  const apart = (sets: readonly (readonly string[])[]) => {
    const seen = sets.map((keys) => new Set(keys.map(plain)))
    for (const [i, own] of seen.entries())
      for (const other of seen.slice(i + 1))
        expect([...own].filter((word) => other.has(word))).toEqual([])
  }
  const read = (key: string) => all.map((translate) => translate(key))
  apart(PARTS.map((part) => read(sheetKey(part))))
  expect(
    PARTS.flatMap((part) => read(sheetKey(part))).filter(
      (name) => name.length > 31 || /[\\/?*[\]:']/.test(name),
    ),
  ).toEqual([])
  for (const part of PARTS) {
    apart(COLUMNS[part].map((column) => read(columnKey(part, column))))
    for (const { words } of COLUMNS[part]) {
      if (words === undefined) continue
      apart(Object.values(words).map(read))
      expect(
        Object.values(words)
          .flatMap(read)
          .filter((word) => /[,"]/.test(word)),
      ).toEqual([])
    }
  }
})
