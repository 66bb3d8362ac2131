"""Starts the local AWS, with the ARNs and condition keys of IAM users and roles as AWS documents them.

By itself it uses ARNs without paths, and does not support iam:PermissionsBoundary, so that a correct policy would be
refused, and one that is too broad would not be noticed. It also refuses stacks with alarms on expressions.
"""

from ministack.core import iam_actions
from ministack.services.cloudformation import provisioners

resource_of = iam_actions.extract_resource_arn
context_of = iam_actions.request_tag_context


def value_of(params, name):
    value = params.get(name, "")
    return value[0] if isinstance(value, list) else value


def target_of(params):
    """The user or role of a request, and its stored fields, or None if it does not exist."""
    from ministack.services import iam

    for kind, name, kept in (
        ("role", value_of(params, "RoleName"), iam._roles),
        ("user", value_of(params, "UserName"), iam._users),
    ):
        if name:
            return kind, name, kept.get(name)
    return None, None, None


def is_new(params):
    return value_of(params, "Action") in ("CreateUser", "CreateRole")


def extract_resource_arn(service, method, path, headers, body, params, region, account_id):
    """Existing principals, and those to be created, have a path. All others have none."""
    arn = resource_of(service, method, path, headers, body, params, region, account_id)
    kind, name, found = target_of(params) if service == "iam" else (None, None, None)
    if kind is None:
        return arn
    where = value_of(params, "Path") if is_new(params) else (found or {}).get("Path")
    return f"arn:aws:iam::{account_id}:{kind}{where or '/'}{name}"


def request_tag_context(service, iam_action, body, params):
    """The boundary that a request names, or otherwise its target's."""
    context = context_of(service, iam_action, body, params)
    kind, _, found = target_of(params) if service == "iam" else (None, None, None)
    if kind is None:
        return context
    boundary = value_of(params, "PermissionsBoundary") if is_new(params) else (found or {}).get("PermissionsBoundary")
    return {**context, "iam:PermissionsBoundary": boundary} if boundary else context


record_of_alarm = provisioners._cw_metric_alarm_record


def alarm_record(name, props):
    """An alarm on an expression is kept as one on its first metric. Nothing here evaluates either."""
    stats = [each["MetricStat"] for each in props.get("Metrics") or [] if "MetricStat" in each]
    if not stats:
        return record_of_alarm(name, props)
    others = {key: value for key, value in props.items() if key != "Metrics"}
    metric = {**stats[0]["Metric"], "Period": stats[0]["Period"], "Statistic": stats[0]["Stat"]}
    return record_of_alarm(name, {**others, **metric})


provisioners._cw_metric_alarm_record = alarm_record
iam_actions.extract_resource_arn = extract_resource_arn
iam_actions.request_tag_context = request_tag_context

if __name__ == "__main__":
    from ministack.app import main

    main()
