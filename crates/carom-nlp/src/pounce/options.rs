//! Our options in POUNCE's words.

use super::Method;
use crate::solver::Options;
use pounce_rs::IpoptApplication;

/// Distance from the bounds to which a warm start is pushed.
const WARM_PUSH: &str = "1e-9";

/// Sets all options, with `barrier` for a warm start; true if a second opinion is wanted.
pub(super) fn apply(app: &mut IpoptApplication, barrier: f64, method: Method, given: &Options) -> Result<bool, String> {
    let mut all: Vec<(&str, String)> = vec![
        ("print_level", "0".into()),
        ("sb", "yes".into()),
        ("tol", given.tolerance.to_string()),
        ("acceptable_tol", given.acceptable.max(given.tolerance).to_string()),
        // Ipopt's 1e-2 is no feasible point in our eyes.
        ("acceptable_constr_viol_tol", "1e-4".into()),
        ("max_iter", given.max_iterations.to_string()),
        ("honor_original_bounds", "yes".into()),
        ("timing_statistics", "yes".into()),
    ];
    if given.max_seconds < 1e19 {
        // Zero is refused.
        all.push(("max_wall_time", given.max_seconds.max(1e-9).to_string()));
    }
    if method == Method::Sequential {
        all.push(("algorithm", "active-set-sqp".into()));
        all.extend(
            ["sqp_tol", "sqp_dual_inf_tol", "sqp_constr_viol_tol"].map(|name| (name, given.tolerance.to_string())),
        );
        all.push(("sqp_max_iter", given.max_iterations.to_string()));
    }
    if given.warm.is_some() {
        all.push(("warm_start_init_point", "yes".into()));
        all.push(("mu_init", barrier.to_string()));
        let pushes = ["bound_push", "bound_frac", "slack_bound_push", "slack_bound_frac", "mult_bound_push"];
        let pushes = pushes.map(|name| format!("warm_start_{name}"));
        for name in &pushes {
            set(app, name, WARM_PUSH)?;
        }
    }
    for (name, value) in &all {
        set(app, name, value)?;
    }
    let mut second_opinion = false;
    for (name, value) in &given.extra {
        if name == "second_opinion" {
            second_opinion = value == "yes";
        } else {
            set(app, name, value)?;
        }
    }
    // POUNCE prints these refusals and hints; here they are an outcome.
    let refusal = app
        .unimplemented_linear_solver()
        .map(|value| format!("option `linear_solver`: there is no `{value}`"))
        .or_else(|| app.unimplemented_option_refusal())
        .or_else(|| app.unimplemented_option_value_refusal())
        .or_else(|| app.unhonored_option_file_name())
        .or_else(|| app.unhonored_convex_option())
        .or_else(|| app.unexploited_hint_warnings().into_iter().next())
        .or_else(|| app.take_unimplemented_backend_warnings().into_iter().next());
    refusal.map_or(Ok(second_opinion), Err)
}

/// As number, integer, then string.
fn set(app: &mut IpoptApplication, name: &str, value: &str) -> Result<(), String> {
    let options = app.options_mut();
    if let Ok(number) = value.parse()
        && options.set_numeric_value(name, number, true, true).is_ok()
    {
        return Ok(());
    }
    if let Ok(number) = value.parse()
        && options.set_integer_value(name, number, true, true).is_ok()
    {
        return Ok(());
    }
    let set = options.set_string_value(name, value, true, true);
    set.map(|_| ()).map_err(|error| format!("option `{name}` = `{value}` is refused: {}", error.message))
}
