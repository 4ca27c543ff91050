package dev.hushbit

import java.io.File
import kotlin.test.AfterTest
import kotlin.test.Test
import kotlin.test.assertEquals
import kotlin.test.assertFailsWith
import kotlin.test.assertFalse
import kotlin.test.assertNull
import kotlin.test.assertTrue

class BudgetTest {
    private val directory = emptyDirectory()
    private val path = File(directory, "budget").path

    @AfterTest
    fun delete() = assertTrue(directory.deleteRecursively())

    @Test
    fun capOnTokensRefusesWhatGoesBeyondIt() {
        Hushbit.open(vector(WORDS)).use { bundle ->
            Budget.open(path, BudgetLimits(tokensPerDay = 5)).use { budget ->
                bundle.privatizer(PrivatizerOptions(budget = budget)).use { privatizer ->
                    val spent = privatizer.privatize("the men were").cost.worstCase
                    assertFailsWith<HushbitException.BudgetExhausted> { privatizer.privatize("the men were") }
                    assertEquals(3, budget.state().tokensLifetime)
                    assertEquals(spent, budget.state().worstCaseLifetime, 1e-5) // counted in millionths, rounded up
                    privatizer.privatize("the cat")
                    assertEquals(5, budget.state().tokensToday)
                }
            }
        }
    }

    @Test
    fun appSpendsCostsOfItsOwn() {
        Budget.open(path, BudgetLimits(worstCasePerDay = 3.0, tokensLifetime = 10)).use { budget ->
            budget.spend(2.5, 4)
            assertFailsWith<HushbitException.BudgetExhausted> { budget.spend(0.75) }
            budget.spendTexts(0.5, 6)
            assertEquals(6, budget.state().textsLifetime)
            assertEquals(3.0, budget.state().worstCaseToday, 0.0)
            assertEquals(10, budget.state().tokensLifetime)
            assertFailsWith<HushbitException.BudgetExhausted> { budget.spend(0.0, 1) }
            assertFailsWith<HushbitException.InvalidArgument> { budget.spend(-1.0) }
            assertFailsWith<HushbitException.InvalidArgument> { budget.spend(0.0, -1) }
        }
    }

    @Test
    fun fileRemembersPrivatizerKeepsItsBudgetAliveResetForgets() {
        Hushbit.open(vector(WORDS)).use { bundle ->
            val privatizer = Budget.open(path).use { bundle.privatizer(PrivatizerOptions(budget = it)) }
            privatizer.use { it.privatize("the cat") }
        }
        assertEquals(2, Budget.open(path).use { it.state().tokensLifetime })
        Budget.reset(path)
        assertEquals(0, Budget.open(path).use { it.state().tokensLifetime })
    }

    @Test
    fun badCapsDamagedFilesAndClosedBudgets() {
        assertFailsWith<HushbitException.InvalidArgument> { Budget.open(path, BudgetLimits(worstCasePerDay = -1.0)) }
        assertFailsWith<HushbitException.InvalidArgument> {
            Budget.open(
                path,
                BudgetLimits(worstCaseLifetime = Double.NaN),
            )
        }
        assertFailsWith<HushbitException.InvalidArgument> { BudgetLimits(tokensPerDay = -1) }
        assertFailsWith<HushbitException.StorageFailed> { Budget.open("/nowhere/at/all") }
        val budget = Budget.open(path)
        budget.close()
        budget.close()
        assertFailsWith<IllegalStateException> { budget.state() }
        Hushbit.open(vector(WORDS)).use { bundle ->
            assertFailsWith<IllegalStateException> { bundle.privatizer(PrivatizerOptions(budget = budget)) }
        }
        File(path).apply { writeBytes(readBytes().also { it[20] = (it[20].toInt() xor 1).toByte() }) }
        assertFailsWith<HushbitException.CorruptBudget> { Budget.open(path).use { it.state() } }
    }

    @Test
    fun auditLogCountsAndNeverQuotes() {
        val log = File(directory, "audit.jsonl")
        Hushbit.open(vector(WORDS)).use { bundle ->
            bundle.privatizer(PrivatizerOptions(auditLog = log.path)).use { it.privatize("elephant qzxv") }
        }
        assertEquals(1, log.readLines().size)
        assertFalse("elephant" in log.readText() || "qzxv" in log.readText())
        assertTrue(log.readText().startsWith("{"))
        assertNull(PrivatizerOptions().auditLog)
    }
}
