//! A set as a short sum of products.

use std::fmt;

use super::Bdd;

/// Each product is a list of variables with their values.
pub(super) type Products = Vec<Vec<(usize, bool)>>;

/// Products that cover `lower` and stay within `upper`, and the set they cover. Literals come last-first.
pub(super) fn irredundant(lower: &Bdd, upper: &Bdd) -> (Products, Bdd) {
    if lower.is_none() {
        return (Vec::new(), lower.clone());
    }
    if upper.is_all() {
        return (vec![Vec::new()], upper.clone());
    }
    // Where there is no variable left the manager is exhausted, and what comes out means nothing.
    let Some(variable) = [lower.top(), upper.top()].into_iter().flatten().min() else {
        return (Vec::new(), lower.clone());
    };
    let around = |set: &Bdd| match set.split() {
        Some((top, low, high)) if top == variable => (low, high),
        _ => (set.clone(), set.clone()),
    };
    let ((lower_low, lower_high), (upper_low, upper_high)) = (around(lower), around(upper));
    let (mut low, low_covers) = irredundant(&(&lower_low - &upper_high), &upper_low);
    let (mut high, high_covers) = irredundant(&(&lower_high - &upper_low), &upper_high);
    let rest = &(&lower_low - &low_covers) | &(&lower_high - &high_covers);
    let (both, both_cover) = irredundant(&rest, &(&upper_low & &upper_high));
    low.iter_mut().for_each(|product| product.push((variable, false)));
    high.iter_mut().for_each(|product| product.push((variable, true)));
    let decision = lower.variable(variable);
    let covers = decision.choose(&(&high_covers | &both_cover), &(&low_covers | &both_cover));
    low.append(&mut high);
    low.extend(both);
    (low, covers)
}

impl fmt::Debug for Bdd {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let products = self.products();
        if products.is_empty() {
            return f.write_str("none");
        }
        for (at, product) in products.iter().enumerate() {
            f.write_str(if at == 0 { "" } else { " | " })?;
            for (position, (variable, value)) in product.iter().enumerate() {
                let and = if position == 0 { "" } else { "&" };
                write!(f, "{and}{}{variable}", if *value { "" } else { "!" })?;
            }
            if product.is_empty() {
                f.write_str("all")?;
            }
        }
        Ok(())
    }
}
