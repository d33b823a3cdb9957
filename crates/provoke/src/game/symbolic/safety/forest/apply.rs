//! Operations on functions.

use super::{Edge, Forest, Stop};

const AND: u32 = 0;
const CHOOSE: u32 = 1;
const EXISTS: u32 = 2;
const AND_EXISTS: u32 = 3;
const SUBSTITUTE: u32 = 4;

impl Forest {
    /// The result, or what was found before it was stopped put aside.
    fn aside(&mut self, result: Result<Edge, Stop>, found: &[Edge]) -> Result<Edge, Stop> {
        if result.is_err() {
            self.pending.extend(found);
        }
        result
    }

    /// What is in both sets.
    pub(in super::super) fn and(&mut self, left: Edge, right: Edge) -> Result<Edge, Stop> {
        if left == right || right == Edge::TRUE {
            return Ok(left);
        }
        if left == Edge::TRUE {
            return Ok(right);
        }
        if left == !right || left == Edge::FALSE || right == Edge::FALSE {
            return Ok(Edge::FALSE);
        }
        let (left, right) = if left < right { (left, right) } else { (right, left) };
        let operands = [left, right, Edge::TRUE];
        if let Some(result) = self.recall(AND, operands) {
            return Ok(result);
        }
        let variable = self.first(&[left, right]);
        let (left_high, left_low) = self.cofactors(left, variable);
        let (right_high, right_low) = self.cofactors(right, variable);
        let high = self.and(left_high, right_high)?;
        let low = self.and(left_low, right_low);
        let low = self.aside(low, &[high])?;
        let result = self.make(variable, high, low);
        let result = self.aside(result, &[high, low])?;
        self.note(AND, operands, result);
        Ok(result)
    }

    /// What is in one of the sets.
    pub(in super::super) fn or(&mut self, left: Edge, right: Edge) -> Result<Edge, Stop> {
        Ok(!self.and(!left, !right)?)
    }

    /// The variable that is the first in the order of those at the top of these functions, one of which is not constant.
    fn first(&self, edges: &[Edge]) -> u32 {
        let level = edges.iter().map(|&edge| self.level_of(edge)).min().unwrap_or(0);
        self.order[level as usize]
    }

    /// `then` where the condition holds, `other` elsewhere.
    fn choose(&mut self, condition: Edge, then: Edge, other: Edge) -> Result<Edge, Stop> {
        if condition == Edge::TRUE || then == other {
            return Ok(then);
        }
        if condition == Edge::FALSE {
            return Ok(other);
        }
        if then == Edge::TRUE || then == condition {
            return self.or(condition, other);
        }
        if then == Edge::FALSE || then == !condition {
            return self.and(!condition, other);
        }
        if other == Edge::FALSE || other == condition {
            return self.and(condition, then);
        }
        if other == Edge::TRUE || other == !condition {
            return self.or(!condition, then);
        }
        if condition.is_opposite() {
            return self.choose(!condition, other, then);
        }
        if then.is_opposite() {
            return Ok(!self.choose(condition, !then, !other)?);
        }
        let operands = [condition, then, other];
        if let Some(result) = self.recall(CHOOSE, operands) {
            return Ok(result);
        }
        let variable = self.first(&operands);
        let [condition, then, other] = operands.map(|edge| self.cofactors(edge, variable));
        let high = self.choose(condition.0, then.0, other.0)?;
        let low = self.choose(condition.1, then.1, other.1);
        let low = self.aside(low, &[high])?;
        let result = self.make(variable, high, low);
        let result = self.aside(result, &[high, low])?;
        self.note(CHOOSE, operands, result);
        Ok(result)
    }

    /// The conjunction of variables.
    pub(in super::super) fn cube(
        &mut self,
        variables: impl IntoIterator<Item = usize>,
    ) -> Result<Edge, Stop> {
        let mut levels: Vec<u32> = variables.into_iter().map(|variable| self.level[variable]).collect();
        levels.sort_unstable();
        levels
            .into_iter()
            .rev()
            .try_fold(Edge::TRUE, |cube, level| self.make(self.order[level as usize], cube, Edge::FALSE))
    }

    /// What is left of a cube when variables above a level are left out.
    fn below(&self, mut cube: Edge, level: u32) -> Edge {
        while self.level_of(cube) < level {
            cube = self.nodes[cube.node()].high;
        }
        cube
    }

    /// What is in the set for some value of the cube's variables.
    pub(in super::super) fn exists(&mut self, set: Edge, cube: Edge) -> Result<Edge, Stop> {
        if set.is_constant() {
            return Ok(set);
        }
        let level = self.level_of(set);
        let cube = self.below(cube, level);
        if cube == Edge::TRUE {
            return Ok(set);
        }
        let operands = [set, cube, Edge::TRUE];
        if let Some(result) = self.recall(EXISTS, operands) {
            return Ok(result);
        }
        let variable = self.order[level as usize];
        let (high, low) = self.cofactors(set, variable);
        let result = if self.level_of(cube) == level {
            let cube = self.nodes[cube.node()].high;
            let high = self.exists(high, cube)?;
            if high == Edge::TRUE {
                high
            } else {
                let low = self.exists(low, cube);
                let low = self.aside(low, &[high])?;
                let result = self.or(high, low);
                self.aside(result, &[high, low])?
            }
        } else {
            let high = self.exists(high, cube)?;
            let low = self.exists(low, cube);
            let low = self.aside(low, &[high])?;
            let result = self.make(variable, high, low);
            self.aside(result, &[high, low])?
        };
        self.note(EXISTS, operands, result);
        Ok(result)
    }

    /// What two sets have in common for some value of the cube's variables.
    pub(in super::super) fn and_exists(&mut self, left: Edge, right: Edge, cube: Edge) -> Result<Edge, Stop> {
        if left == Edge::FALSE || right == Edge::FALSE || left == !right {
            return Ok(Edge::FALSE);
        }
        if left == right || right == Edge::TRUE {
            return self.exists(left, cube);
        }
        if left == Edge::TRUE {
            return self.exists(right, cube);
        }
        let (left, right) = if left < right { (left, right) } else { (right, left) };
        let level = self.level_of(left).min(self.level_of(right));
        let cube = self.below(cube, level);
        if cube == Edge::TRUE {
            return self.and(left, right);
        }
        let operands = [left, right, cube];
        if let Some(result) = self.recall(AND_EXISTS, operands) {
            return Ok(result);
        }
        let variable = self.order[level as usize];
        let (left_high, left_low) = self.cofactors(left, variable);
        let (right_high, right_low) = self.cofactors(right, variable);
        let result = if self.level_of(cube) == level {
            let cube = self.nodes[cube.node()].high;
            let high = self.and_exists(left_high, right_high, cube)?;
            if high == Edge::TRUE {
                high
            } else {
                let low = self.and_exists(left_low, right_low, cube);
                let low = self.aside(low, &[high])?;
                let result = self.or(high, low);
                self.aside(result, &[high, low])?
            }
        } else {
            let high = self.and_exists(left_high, right_high, cube)?;
            let low = self.and_exists(left_low, right_low, cube);
            let low = self.aside(low, &[high])?;
            let result = self.make(variable, high, low);
            self.aside(result, &[high, low])?
        };
        self.note(AND_EXISTS, operands, result);
        Ok(result)
    }

    /// The set with functions in place of variables, by variable; none stays as it is. The functions are the same every
    /// time: results are remembered.
    pub(in super::super) fn substitute(
        &mut self,
        set: Edge,
        functions: &[Option<Edge>],
    ) -> Result<Edge, Stop> {
        if set.is_constant() {
            return Ok(set);
        }
        if set.is_opposite() {
            return Ok(!self.substitute(!set, functions)?);
        }
        let operands = [set, Edge::TRUE, Edge::TRUE];
        if let Some(result) = self.recall(SUBSTITUTE, operands) {
            return Ok(result);
        }
        let node = self.nodes[set.node()];
        let high = self.substitute(node.high, functions)?;
        let low = self.substitute(node.low, functions);
        let low = self.aside(low, &[high])?;
        let result = match functions[node.variable as usize] {
            Some(function) => self.choose(function, high, low),
            None => {
                let variable = self.variable(node.variable as usize);
                let variable = self.aside(variable, &[high, low])?;
                self.choose(variable, high, low)
            }
        };
        let result = self.aside(result, &[high, low])?;
        self.note(SUBSTITUTE, operands, result);
        Ok(result)
    }
}
