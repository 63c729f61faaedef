-- Products as rows that are managed, with the terms that follow the borrower or the days; and the rules the machine judges by.
create table merchant (
  id text primary key,
  name text not null unique,
  licence_no text,
  status text not null default 'enabled' check (status in ('enabled', 'disabled')),
  created_at timestamptz not null default clock_timestamp()
);
-- whoever lends has a name to lend under before there are others
insert into merchant (id, name) values ('MC001', 'Own book');

create sequence product_id_seq start 1001;
alter table product
  alter column id set default 'PR' || nextval('product_id_seq'),
  add column merchant_id text references merchant (id),
  add column description text not null default '',
  -- [{customerClass, orderNoFrom, orderNoTo, limit, term}]; a class without one may have what the product offers
  add column quota jsonb not null default '[]',
  -- [{dayFrom, dayTo, rate, capRatio}]; null = penalty_rate on every overdue day
  add column penalty jsonb,
  -- {enabled, days, feeType, fee, commission, maxTimes}; null = no extension
  add column extend jsonb;
update product set merchant_id = 'MC001';
create table merchant_product (
  merchant_id text not null references merchant (id),
  product_id text not null references product (id),
  primary key (merchant_id, product_id)
);

-- What machine review judges by: versions of one decision graph (JDM), of which one counts.
create table rule_set (
  version_no int primary key,
  name text not null,
  state text not null check (state in ('draft', 'enabled', 'retired')),
  content jsonb not null,
  created_at timestamptz not null default clock_timestamp()
);
create unique index rule_set_one_enabled on rule_set ((true)) where state = 'enabled';
create index review_to_judge on review (created_at) where state = 'initial' and finished_at is null;
create index review_abnormal on review (updated_at) where state = 'abnormal';

-- the engine skips a rule that lacks a cell, so empty ones are written
insert into rule_set (version_no, name, state, content) values (1, 'Standard', 'enabled', $rules$
{"nodes": [
  {"id": "input", "name": "Application", "type": "inputNode", "position": {"x": 40, "y": 160}},
  {"id": "limit", "name": "Limit", "type": "decisionTableNode", "position": {"x": 300, "y": 160}, "content": {"hitPolicy": "first", "inputs": [{"id": "in_customerClass", "name": "customerClass", "field": "customerClass"}, {"id": "in_orderNo", "name": "orderNo", "field": "orderNo"}], "outputs": [{"id": "out_limit", "name": "limit", "field": "limit"}, {"id": "out_priority", "name": "priority", "field": "priority"}], "passThrough": true, "rules": [
    {"_id": "LIMIT1", "in_customerClass": "\"old\"", "in_orderNo": ">= 3", "out_limit": "min([monthlyIncome * 2, productMaximum])", "out_priority": "70"},
    {"_id": "LIMIT2", "in_customerClass": "\"old\"", "in_orderNo": "", "out_limit": "min([monthlyIncome, productMaximum])", "out_priority": "50"},
    {"_id": "LIMIT3", "in_customerClass": "", "in_orderNo": "", "out_limit": "min([floor(monthlyIncome / 2), productMaximum])", "out_priority": "30"}
  ]}},
  {"id": "rules", "name": "Rules", "type": "decisionTableNode", "position": {"x": 560, "y": 160}, "content": {"hitPolicy": "collect", "inputs": [{"id": "in_age", "name": "age", "field": "age"}, {"id": "in_monthlyIncome", "name": "monthlyIncome", "field": "monthlyIncome"}, {"id": "in_daysSinceRefusal", "name": "daysSinceRefusal", "field": "daysSinceRefusal"}, {"id": "in_worstOverdueDays", "name": "worstOverdueDays", "field": "worstOverdueDays"}, {"id": "in_writtenOff", "name": "writtenOff", "field": "writtenOff"}, {"id": "in_identityElsewhere", "name": "identityElsewhere", "field": "identityElsewhere"}, {"id": "in_accountElsewhere", "name": "accountElsewhere", "field": "accountElsewhere"}, {"id": "in_blacklistedContacts", "name": "blacklistedContacts", "field": "blacklistedContacts"}, {"id": "in_panNameSame", "name": "panNameSame", "field": "panNameSame"}, {"id": "in_faceScore", "name": "faceScore", "field": "faceScore"}, {"id": "in_cardBound", "name": "cardBound", "field": "cardBound"}, {"id": "in_nameSimilarity", "name": "nameSimilarity", "field": "nameSimilarity"}, {"id": "in_incomeShare", "name": "incomeShare", "field": "incomeShare"}, {"id": "in_orderNo", "name": "orderNo", "field": "orderNo"}, {"id": "in_amount", "name": "amount", "field": "amount"}], "outputs": [{"id": "out_code", "name": "code", "field": "code"}, {"id": "out_name", "name": "name", "field": "name"}, {"id": "out_action", "name": "action", "field": "action"}, {"id": "out_refusalCode", "name": "refusalCode", "field": "refusalCode"}, {"id": "out_output", "name": "output", "field": "output"}], "passThrough": true, "outputPath": "hits", "rules": [
    {"_id": "ADM01", "in_age": "< 21 or > 58", "in_monthlyIncome": "", "in_daysSinceRefusal": "", "in_worstOverdueDays": "", "in_writtenOff": "", "in_identityElsewhere": "", "in_accountElsewhere": "", "in_blacklistedContacts": "", "in_panNameSame": "", "in_faceScore": "", "in_cardBound": "", "in_nameSimilarity": "", "in_incomeShare": "", "in_orderNo": "", "in_amount": "", "out_code": "\"ADM01\"", "out_name": "\"Age outside 21 to 58\"", "out_action": "\"reject\"", "out_refusalCode": "\"ADM01\"", "out_output": "null"},
    {"_id": "ADM02", "in_age": "", "in_monthlyIncome": "", "in_daysSinceRefusal": "< 30", "in_worstOverdueDays": "", "in_writtenOff": "", "in_identityElsewhere": "", "in_accountElsewhere": "", "in_blacklistedContacts": "", "in_panNameSame": "", "in_faceScore": "", "in_cardBound": "", "in_nameSimilarity": "", "in_incomeShare": "", "in_orderNo": "", "in_amount": "", "out_code": "\"ADM02\"", "out_name": "\"Refused within the last 30 days\"", "out_action": "\"reject\"", "out_refusalCode": "\"ADM02\"", "out_output": "null"},
    {"_id": "ADM03", "in_age": "", "in_monthlyIncome": "< 1200000", "in_daysSinceRefusal": "", "in_worstOverdueDays": "", "in_writtenOff": "", "in_identityElsewhere": "", "in_accountElsewhere": "", "in_blacklistedContacts": "", "in_panNameSame": "", "in_faceScore": "", "in_cardBound": "", "in_nameSimilarity": "", "in_incomeShare": "", "in_orderNo": "", "in_amount": "", "out_code": "\"ADM03\"", "out_name": "\"Income below 12,000 rupees a month\"", "out_action": "\"reject\"", "out_refusalCode": "\"ADM03\"", "out_output": "null"},
    {"_id": "CR01", "in_age": "", "in_monthlyIncome": "", "in_daysSinceRefusal": "", "in_worstOverdueDays": "> 30", "in_writtenOff": "", "in_identityElsewhere": "", "in_accountElsewhere": "", "in_blacklistedContacts": "", "in_panNameSame": "", "in_faceScore": "", "in_cardBound": "", "in_nameSimilarity": "", "in_incomeShare": "", "in_orderNo": "", "in_amount": "", "out_code": "\"CR01\"", "out_name": "\"Earlier loan overdue for more than 30 days\"", "out_action": "\"reject\"", "out_refusalCode": "\"CR01\"", "out_output": "null"},
    {"_id": "CR02", "in_age": "", "in_monthlyIncome": "", "in_daysSinceRefusal": "", "in_worstOverdueDays": "", "in_writtenOff": "> 0", "in_identityElsewhere": "", "in_accountElsewhere": "", "in_blacklistedContacts": "", "in_panNameSame": "", "in_faceScore": "", "in_cardBound": "", "in_nameSimilarity": "", "in_incomeShare": "", "in_orderNo": "", "in_amount": "", "out_code": "\"CR02\"", "out_name": "\"Earlier loan written off\"", "out_action": "\"reject\"", "out_refusalCode": "\"CR02\"", "out_output": "null"},
    {"_id": "CR03", "in_age": "", "in_monthlyIncome": "", "in_daysSinceRefusal": "", "in_worstOverdueDays": "[8..30]", "in_writtenOff": "", "in_identityElsewhere": "", "in_accountElsewhere": "", "in_blacklistedContacts": "", "in_panNameSame": "", "in_faceScore": "", "in_cardBound": "", "in_nameSimilarity": "", "in_incomeShare": "", "in_orderNo": "", "in_amount": "", "out_code": "\"CR03\"", "out_name": "\"Earlier loan overdue for 8 to 30 days\"", "out_action": "\"manual\"", "out_refusalCode": "null", "out_output": "null"},
    {"_id": "AF01", "in_age": "", "in_monthlyIncome": "", "in_daysSinceRefusal": "", "in_worstOverdueDays": "", "in_writtenOff": "", "in_identityElsewhere": "> 0", "in_accountElsewhere": "", "in_blacklistedContacts": "", "in_panNameSame": "", "in_faceScore": "", "in_cardBound": "", "in_nameSimilarity": "", "in_incomeShare": "", "in_orderNo": "", "in_amount": "", "out_code": "\"AF01\"", "out_name": "\"PAN or Aadhaar known from another customer\"", "out_action": "\"manual\"", "out_refusalCode": "null", "out_output": "null"},
    {"_id": "AF02", "in_age": "", "in_monthlyIncome": "", "in_daysSinceRefusal": "", "in_worstOverdueDays": "", "in_writtenOff": "", "in_identityElsewhere": "", "in_accountElsewhere": "> 0", "in_blacklistedContacts": "", "in_panNameSame": "", "in_faceScore": "", "in_cardBound": "", "in_nameSimilarity": "", "in_incomeShare": "", "in_orderNo": "", "in_amount": "", "out_code": "\"AF02\"", "out_name": "\"Bank account known from another customer\"", "out_action": "\"manual\"", "out_refusalCode": "null", "out_output": "\"teleVerify\""},
    {"_id": "AF03", "in_age": "", "in_monthlyIncome": "", "in_daysSinceRefusal": "", "in_worstOverdueDays": "", "in_writtenOff": "", "in_identityElsewhere": "", "in_accountElsewhere": "", "in_blacklistedContacts": "> 0", "in_panNameSame": "", "in_faceScore": "", "in_cardBound": "", "in_nameSimilarity": "", "in_incomeShare": "", "in_orderNo": "", "in_amount": "", "out_code": "\"AF03\"", "out_name": "\"Declared contact is a blacklisted customer\"", "out_action": "\"manual\"", "out_refusalCode": "null", "out_output": "\"teleVerify\""},
    {"_id": "KYC01", "in_age": "", "in_monthlyIncome": "", "in_daysSinceRefusal": "", "in_worstOverdueDays": "", "in_writtenOff": "", "in_identityElsewhere": "", "in_accountElsewhere": "", "in_blacklistedContacts": "", "in_panNameSame": "false", "in_faceScore": "", "in_cardBound": "", "in_nameSimilarity": "", "in_incomeShare": "", "in_orderNo": "", "in_amount": "", "out_code": "\"KYC01\"", "out_name": "\"Name on PAN differs from the application\"", "out_action": "\"manual\"", "out_refusalCode": "null", "out_output": "null"},
    {"_id": "KYC02", "in_age": "", "in_monthlyIncome": "", "in_daysSinceRefusal": "", "in_worstOverdueDays": "", "in_writtenOff": "", "in_identityElsewhere": "", "in_accountElsewhere": "", "in_blacklistedContacts": "", "in_panNameSame": "", "in_faceScore": "== null or < 80", "in_cardBound": "", "in_nameSimilarity": "", "in_incomeShare": "", "in_orderNo": "== 1", "in_amount": "", "out_code": "\"KYC02\"", "out_name": "\"Live face not compared, or less than 80 % alike\"", "out_action": "\"manual\"", "out_refusalCode": "null", "out_output": "null"},
    {"_id": "CARD01", "in_age": "", "in_monthlyIncome": "", "in_daysSinceRefusal": "", "in_worstOverdueDays": "", "in_writtenOff": "", "in_identityElsewhere": "", "in_accountElsewhere": "", "in_blacklistedContacts": "", "in_panNameSame": "", "in_faceScore": "", "in_cardBound": "false", "in_nameSimilarity": "", "in_incomeShare": "", "in_orderNo": "", "in_amount": "", "out_code": "\"CARD01\"", "out_name": "\"Bank card not bound\"", "out_action": "\"manual\"", "out_refusalCode": "null", "out_output": "null"},
    {"_id": "CARD02", "in_age": "", "in_monthlyIncome": "", "in_daysSinceRefusal": "", "in_worstOverdueDays": "", "in_writtenOff": "", "in_identityElsewhere": "", "in_accountElsewhere": "", "in_blacklistedContacts": "", "in_panNameSame": "", "in_faceScore": "", "in_cardBound": "", "in_nameSimilarity": "== null or < 80", "in_incomeShare": "", "in_orderNo": "", "in_amount": "", "out_code": "\"CARD02\"", "out_name": "\"Name on bank account less than 80 % alike\"", "out_action": "\"manual\"", "out_refusalCode": "null", "out_output": "null"},
    {"_id": "INC01", "in_age": "", "in_monthlyIncome": "", "in_daysSinceRefusal": "", "in_worstOverdueDays": "", "in_writtenOff": "", "in_identityElsewhere": "", "in_accountElsewhere": "", "in_blacklistedContacts": "", "in_panNameSame": "", "in_faceScore": "", "in_cardBound": "", "in_nameSimilarity": "", "in_incomeShare": "(45..80]", "in_orderNo": "", "in_amount": "", "out_code": "\"INC01\"", "out_name": "\"Instalment above 45 % of income\"", "out_action": "\"manual\"", "out_refusalCode": "null", "out_output": "null"},
    {"_id": "INC02", "in_age": "", "in_monthlyIncome": "", "in_daysSinceRefusal": "", "in_worstOverdueDays": "", "in_writtenOff": "", "in_identityElsewhere": "", "in_accountElsewhere": "", "in_blacklistedContacts": "", "in_panNameSame": "", "in_faceScore": "", "in_cardBound": "", "in_nameSimilarity": "", "in_incomeShare": "> 80", "in_orderNo": "", "in_amount": "", "out_code": "\"INC02\"", "out_name": "\"Instalment above 80 % of income\"", "out_action": "\"reject\"", "out_refusalCode": "\"INC02\"", "out_output": "null"},
    {"_id": "LIM01", "in_age": "", "in_monthlyIncome": "", "in_daysSinceRefusal": "", "in_worstOverdueDays": "", "in_writtenOff": "", "in_identityElsewhere": "", "in_accountElsewhere": "", "in_blacklistedContacts": "", "in_panNameSame": "", "in_faceScore": "", "in_cardBound": "", "in_nameSimilarity": "", "in_incomeShare": "", "in_orderNo": "== 1", "in_amount": "> 1500000", "out_code": "\"LIM01\"", "out_name": "\"First loan above 15,000 rupees\"", "out_action": "\"manual\"", "out_refusalCode": "null", "out_output": "null"},
    {"_id": "LIM02", "in_age": "", "in_monthlyIncome": "", "in_daysSinceRefusal": "", "in_worstOverdueDays": "", "in_writtenOff": "", "in_identityElsewhere": "", "in_accountElsewhere": "", "in_blacklistedContacts": "", "in_panNameSame": "", "in_faceScore": "", "in_cardBound": "", "in_nameSimilarity": "", "in_incomeShare": "", "in_orderNo": "", "in_amount": "> limit", "out_code": "\"LIM02\"", "out_name": "\"Amount above the limit\"", "out_action": "\"manual\"", "out_refusalCode": "null", "out_output": "null"}
  ]}},
  {"id": "output", "name": "Judgement", "type": "outputNode", "position": {"x": 820, "y": 160}}
], "edges": [{"id": "e1", "type": "edge", "sourceId": "input", "targetId": "limit"}, {"id": "e2", "type": "edge", "sourceId": "limit", "targetId": "rules"}, {"id": "e3", "type": "edge", "sourceId": "rules", "targetId": "output"}]}
$rules$);

-- Loans from their disbursement on, attempts to pay out, and what was said about those that failed.
create index loan_order_paid_out on loan_order (created_at desc, id desc) where status not in (10, 20, 21, 22, 23, 26, 27, 70);
create index payout_transfer_created on payout_transfer (created_at desc, id desc);
alter table payout_transfer add column handling_remark text;
