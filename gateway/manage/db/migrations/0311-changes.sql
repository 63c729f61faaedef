-- Changes of what governs the product: parameters, rules, configurations. The log is large; these are few.
create index operate_log_settings on operate_log (id)
  where result = 'ok' and target_kind in ('config', 'rule', 'decisionTable', 'ruleGroup', 'ruleAction',
    'product', 'emiApp', 'app', 'appGroup', 'stage', 'aiConfig', 'thirdParty', 'configuration', 'service',
    'dict', 'dictDetail', 'line', 'scheduledTask', 'role', 'marketingNode');
create index approval_of_target on approval (target_id, decided_at) where state = 'approved';
